"""What a study is: a question, the games that are played for it, and the answer they give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from meadhall.faults import Fault, listing, show
from meadhall.lab.study.report import Section
from meadhall.lab.study.samples import Sample

Games = Mapping[str, Mapping[str, Any]]  # by the name of a sample: its columns
NAMES = ("initiative", "orders", "speed", "forts", "warriors", "goths-variants", "romans-variants")


@dataclass(frozen=True)
class Study:
    """A question and how to answer it: `answered` gives the answer in a few sentences, and the sections below it."""

    name: str
    title: str
    samples: Sequence[Sample]
    answered: Callable[[Games], tuple[list[str], list[Section]]]


@cache
def study_named(name: str) -> Study:
    """One of NAMES; a Fault lists them."""
    if name not in NAMES:
        raise Fault(f"there is no study {show(name)}; the studies are {listing(NAMES)}")
    found: Study = import_module(f"meadhall.lab.study.questions.{name.replace('-', '_')}").STUDY
    return found


def sample_of(samples: Sequence[Sample], level: str) -> Sample:
    """The sample in which this level plays with itself."""
    return next(each for each in samples if set(each.first) == set(each.others) == {level})
