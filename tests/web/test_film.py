"""A turn as a film: a scene for each beat, pieces that move between them, and a file of a size to send on."""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from meadhall.faults import Fault
from meadhall.match import SPECTATOR
from meadhall.web.drawing import draw
from meadhall.web.drawing import film as films
from meadhall.web.drawing.film import film, scenes, turns
from meadhall.web.telling import chapter, cues, hold
from meadhall.words import words
from tests.variants import VARIANTS, Variant, random_game, variant_named

GOTHS, ROMANS = variant_named("goths, base"), variant_named("romans, three")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_beat_that_a_seat_was_told_belongs_to_one_turn(variant: Variant) -> None:
    match = random_game(variant, 2)
    for seat in (None, SPECTATOR, match.seats[0]):
        found = turns(match, seat)
        names = [name for name, _ in found]
        assert len(set(names)) == len(names)
        whole = match.timeline(seat) if seat else [beat for beats in match.full_timeline() for beat in beats]
        assert [beat for _, some in found for beat, _ in some] == [beat for beat in whole if beat.kind and beat.events]


@pytest.mark.parametrize("variant", [GOTHS, ROMANS], ids=str)
def test_a_film_has_a_scene_for_each_beat_held_as_long_as_at_a_table(variant: Variant) -> None:
    match = random_game(variant, 2)
    name, beats = turns(match, SPECTATOR)[1]
    shown = scenes(match, name, SPECTATOR, words("en"), "light")
    assert len(shown) == len(beats) > 3
    assert [scene.hold for scene in shown] == [round(hold(beat) * films.PACE) for beat, _ in beats]
    assert {chapter(beat) for beat, _ in beats} == {name}
    assert all("told" not in scene.drawing.description for scene in shown)
    assert len({scene.drawing.description for scene in shown}) > 3  # each says what happens


@pytest.mark.parametrize(("variant", "turn"), [(GOTHS, "2"), (ROMANS, "1.2")])
def test_a_film_is_small_moves_and_lasts_as_long_as_its_scenes(variant: Variant, turn: str) -> None:
    match = random_game(variant, 2)
    shown = scenes(match, turn, SPECTATOR, words("de"), "dark")
    for suffix, kind in films.KINDS.items():
        data = film(shown[:4], suffix, (400, 210))
        with Image.open(BytesIO(data)) as image:
            assert image.format == kind
            assert image.size == (400, 210)
            assert image.n_frames > 4
            times = []
            for number in range(image.n_frames):
                image.seek(number)
                image.load()
                times.append(image.info["duration"])
        scenes_last = sum(scene.hold for scene in shown[:3]) + films.LAST
        assert scenes_last * 0.95 <= sum(times) <= scenes_last + 4 * 3 * films.STEPS * films.STEP
    assert len(film(shown, ".webp")) < 500_000


def test_pieces_glide_turn_over_come_and_go_between_two_scenes() -> None:
    match = random_game(GOTHS, 2)
    shown = [
        scene.drawing for name, _ in turns(match, None)[:6] for scene in scenes(match, name, None, words("en"), "light")
    ]
    ways = set()
    for before, now in pairwise(shown):
        for old, new in films._moving(before, now).values():
            assert films._between(old, new, 0.5)
            if old is None or new is None:
                ways.add("come" if old is None else "go")
            else:
                ways.add("turn" if old.side != new.side else "glide" if (old.x, old.y) != (new.x, new.y) else "change")
    assert {"come", "turn", "glide"} <= ways


def test_what_flies_finds_the_pieces_it_flies_between() -> None:
    found, lacking = 0, []
    for variant in (variant_named("goths, fog"), variant_named("romans, four")):
        for _, beats in turns(random_game(variant, 1), SPECTATOR):
            for beat, events in beats:
                if named := [name for cue in cues(beat) for name in (cue.start, cue.end)]:
                    drawing = draw(beat.view, events, words("en"), beat=beat)
                    lacking += [(beat.kind, name) for name in named if drawing.named(name) is None]
                    found += 1
    assert found > 10
    assert not lacking


def test_a_turn_that_was_not_played_is_refused_with_those_that_were() -> None:
    match = random_game(GOTHS, 2)
    with pytest.raises(Fault, match='there is no turn "99" in this game; its turns are 1, 2'):
        scenes(match, "99", None, words("en"), "light")
    assert scenes(match, "last", None, words("en"), "light")
