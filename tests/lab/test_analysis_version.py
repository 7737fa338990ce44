"""A kept analysis is read by later versions of the program: its version says whether they still understand it."""

import hashlib
import json
import re
from importlib import import_module

import msgspec

from meadhall.games.game import GAMES
from meadhall.lab.analysis import VERSION, can_analyse
from meadhall.lab.analysis.report import Analysis
from meadhall.words import words

SHAPES = {2: "eb6154b7746d2135"}


def shape() -> str:
    """A digest of all that is kept: the fields, and for each reason the words that its sentence asks for."""
    sentences = {
        key: sorted(set(re.findall(r"{(\w+)", " ".join(forms))))
        for key, forms in words("en").messages.items()
        if re.match(r"\w+\.analysis\.", key)
    }
    details = [import_module(f"meadhall.lab.analysis.{game}").Detail for game in GAMES if can_analyse(game)]
    assert sentences
    assert details
    fields = [msgspec.json.schema(each) for each in (Analysis, *details)]
    return hashlib.sha256(json.dumps([fields, sentences], sort_keys=True).encode()).hexdigest()[:16]


def test_whoever_changes_what_an_analysis_holds_raises_its_version() -> None:
    assert {VERSION: shape()} == SHAPES, "raise VERSION in lab/analysis/report.py, and write the new shape here"
