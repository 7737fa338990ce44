"""The table in the terminal: whole games by script, and no secret on any screen but its owner's."""

import io
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from meadhall.bots import choose
from meadhall.faults import Fault
from meadhall.match import SPECTATOR, Match, View
from meadhall.terminal import goths, plain
from meadhall.terminal import play as play_match
from meadhall.terminal.company import Company, read_bots
from meadhall.terminal.play import ReadLine, Table, drawing_of
from meadhall.words import words
from meadhall.words.languages import LANGUAGES

GOTHS = ("ostrogoth-king", "ostrogoth-warchief", "visigoth-king", "visigoth-warchief")
FOUR = ["gold", "green", "violet", "red"]
VARIANTS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "a king": ("goths", {"turn_limit": 20}, ["ostrogoth-king"]),
    "a warchief": ("goths", {}, ["visigoth-warchief"]),
    "four people": ("goths", {"turn_limit": 5}, list(GOTHS)),
    "partners": ("goths", {"turn_limit": 6}, ["ostrogoth-king", "ostrogoth-warchief"]),
    "fog": ("goths", {"fog_of_war": True, "fog_discard": "anywhere"}, ["visigoth-warchief"]),
    "a lone ruler": ("goths", {"lone_rulers": ["visigoth"], "fog_of_war": True}, ["visigoth-king"]),
    "two lone rulers": ("goths", {"lone_rulers": ["ostrogoth", "visigoth"], "turn_limit": 5}, list(GOTHS)),
    "two clans": ("romans", {"players": ["gold", "green"]}, ["gold"]),
    "four clans": ("romans", {"players": FOUR, "qween": "replaces"}, FOUR),
    "against neutrals": ("romans", {"players": ["red"], "neutrals": ["gold", "violet"]}, ["red"]),
    "original rules": ("romans", {"players": ["red", "green"], "original_rules": True}, ["red", "green"]),
    "nobody": ("romans", {"players": ["red", "green"]}, []),
}


def company(match: Match, seed: int | str, bots: str = "random") -> Company:
    """Bots for every seat; chance is quick and does what no sensible bot would."""
    return Company(read_bots(bots, match), seed)


def play(
    game: str,
    rules: dict[str, Any],
    seed: int,
    seats: list[str] | None,
    lang: str,
    console: Console,
    read_line: ReadLine,
    bots: str = "random",
) -> Match:
    """Deal, play at the terminal, and see how far it got."""
    match = Match.new(game, rules, seed)
    play_match(match, company(match, seed, bots), seats, lang, console, read_line)
    return match


def screen(width: int = 80) -> Console:
    return Console(record=True, file=io.StringIO(), width=width)


class Person:
    """Answers every question at random, with a number or in the order the numbers come; keeps what was shown."""

    def __init__(self, console: Console, seed: int = 0) -> None:
        self.console, self.dice = console, random.Random(seed)
        self.shown: list[str] = []
        self.asked = 0

    def __call__(self, prompt: str) -> str:
        self.shown.append(self.console.export_text(clear=True, styles=False) + prompt)
        self.asked += 1
        assert self.asked < 5000, "the game does not end"
        choose = re.search(r"1 \w+ (\d)\.", prompt)
        if choose:
            return str(self.dice.randint(1, int(choose[1])))
        return "" if prompt[-1] == "." else "123456"[: self.dice.randint(2, 6)]


@cache
def played(name: str, lang: str = "en", seed: int = 1) -> tuple[Match, Person, str]:
    """A whole game of a variant; the match, the person who played, and everything that was printed."""
    game, rules, seats = VARIANTS[name]
    console = screen()
    person = Person(console, seed)
    match = play(game, rules, seed, seats, lang, console, person)
    return match, person, "\n".join(person.shown) + "\n" + console.export_text(styles=False)


def random_positions(game: str, rules: dict[str, Any], seed: int, every: int = 3) -> Iterator[Match]:
    """A random game, looked at every few choices and at its end."""
    match, dice = Match.new(game, rules, seed), random.Random(seed)
    for step in range(400):
        if step % every == 0 or match.outcome:
            yield match
        if match.outcome:
            return
        seat = dice.choice(match.waiting)
        match.commit(seat, dice.choice(match.choice_ids(seat)))


def drawn(match: Match, seat: str | None, lang: str = "en") -> str:
    """All that is printed of a position for one seat: board, question, what it can choose."""
    console = screen()
    Table(match, words(lang), console, str)._show(match.view(seat or SPECTATOR))
    return console.export_text(styles=False)


def until_first_question(match: Match, seats: list[str]) -> str:
    """Everything printed when people sit down at a match in progress, up to the first question."""
    console = screen()
    shown: list[str] = []

    def leave(prompt: str) -> str:
        shown.append(prompt)
        if prompt[-1] != ".":
            raise EOFError
        return ""

    table = Table(match, words("en"), console, leave)
    table.take_seats(seats)
    with pytest.raises(EOFError):
        table.play(company(match, 0))
    return console.export_text(styles=False) + "".join(shown)


def replayed(match: Match, change: Callable[[dict[str, Any]], None]) -> Match:
    """The same game in a world that differs in what `change` does to its record."""
    record = match.record()
    change(record)
    return Match.from_record(record)


# Whole games


@pytest.mark.parametrize("name", VARIANTS)
def test_whole_game_ends_with_an_outcome(name: str) -> None:
    match, _, text = played(name)
    assert match.outcome is not None
    assert words("en").outcome(match.game.name, match.outcome.record) in " ".join(text.split())
    assert Match.from_record(match.record()).outcome == match.outcome


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["partners", "against neutrals"])
def test_every_language_fits_80_columns(name: str, lang: str) -> None:
    _, _, text = played(name, lang, seed=3)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text  # nothing was cut off


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", [{"fog_of_war": True}, {"lone_rulers": ["ostrogoth"]}])
def test_goths_boards_are_never_cut_off(lang: str, rules: dict[str, Any]) -> None:
    for match in random_positions("goths", rules, seed=8, every=9):
        for seat in match.waiting or (None,):
            assert "…" not in drawn(match, seat, lang)


def test_the_same_seed_and_answers_give_the_same_game() -> None:
    first, _, _ = played("fog")
    played.cache_clear()
    assert played("fog")[0].record() == first.record()


# Bots


class Watched(Company):
    """Keeps what the bots were shown and what they chose."""

    def __init__(self, levels: dict[str, str], seed: int | str) -> None:
        super().__init__(levels, seed)
        self.asked: list[tuple[View, str]] = []

    def choose(self, view: View) -> str:
        choice = super().choose(view)
        self.asked.append((view, choice))
        return choice


@pytest.mark.parametrize("bots", ["medium", "easy,visigoth-king=hard"])
def test_bots_of_any_level_play_the_other_seats_from_their_views_alone(bots: str) -> None:
    match = Match.new("goths", {"turn_limit": 2}, 3)
    levels = read_bots(bots, match)
    company = Watched(levels, 3)
    console = screen()
    play_match(match, company, ["ostrogoth-king"], "en", console, Person(console))
    assert match.outcome is not None
    assert {view.seat for view, _ in company.asked} == {*match.seats} - {"ostrogoth-king"}
    dice = {seat: random.Random(f"3 {seat}") for seat in match.seats}
    for view, choice in company.asked:
        assert view.seat is not None
        assert choose(levels[view.seat], view, dice[view.seat]) == choice


def test_a_bot_of_ones_own_plays_at_the_terminal() -> None:
    mine = str(Path(__file__).parent.parent / "examples" / "my_bot.py")
    console = screen()
    match = play("romans", ROMANS, 5, ["gold"], "en", console, Person(console), f"random,green={mine}")
    assert match.outcome is not None


def test_a_bot_of_ones_own_that_fails_ends_the_game_with_what_it_did(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, choices, rng):\n    return 1 / 0\n")
    with pytest.raises(Fault, match=r"mine\.py, which plays green, raised ZeroDivisionError"):
        play("romans", ROMANS, 5, ["gold"], "en", screen(), answering(), f"green={file}")


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        (None, ["medium", "medium", "medium", "medium"]),
        ("hard", ["hard", "hard", "hard", "hard"]),
        ("visigoth-king=easy", ["medium", "medium", "easy", "medium"]),
        ("random,ostrogoth-king=hard,visigoth-warchief=easy", ["hard", "random", "random", "easy"]),
    ],
)
def test_bots_are_named_for_all_seats_or_seat_by_seat(text: str | None, bots: list[str]) -> None:
    assert list(read_bots(text, Match.new("goths", {}, 0)).values()) == bots


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", 'there is no bot ""; the bots are random, easy, medium, hard, or a file of your own, such as ./mine.py'),
        ("grandmaster", 'there is no bot "grandmaster"'),
        ("easy,hard", '"hard" must name a seat too, as in ostrogoth-king=hard'),
        ("gold=hard", 'there is no seat "gold" in this game; the seats are ostrogoth-king, '),
        ("ostrogoth-king=", 'there is no bot ""'),
        ("no/such.py", "no/such.py: there is no such file"),
    ],
)
def test_bots_that_make_no_sense_are_refused(text: str, said: str) -> None:
    with pytest.raises(Fault, match=re.escape(said)):
        read_bots(text, Match.new("goths", {}, 0))


# The end


@pytest.mark.parametrize(("name", "seat"), [("a warchief", "visigoth-warchief"), ("against neutrals", "red")])
def test_the_board_stays_on_its_players_side_when_the_game_is_over(name: str, seat: str) -> None:
    match, _, text = played(name)
    last = drawn(match, seat)
    assert last in text
    assert last != drawn(match, None)
    assert text.rindex(last) > text.rindex("You play") - 80


# Answers


def answering(*answers: str) -> Callable[[str], str]:
    left = iter(answers)

    def read_line(prompt: str) -> str:
        answer = next(left, None)
        if answer is None:
            raise EOFError
        return answer

    return read_line


def choices_after(game: str, rules: dict[str, Any], seats: list[str] | None, *answers: str) -> tuple[Any, str]:
    console = screen()
    match = play(game, rules, 5, seats, "en", console, answering(*answers))
    return match.record()["choices"], console.export_text(styles=False)


def test_a_number_and_a_name_mean_the_same_choice() -> None:
    by_name, _ = choices_after("goths", {}, ["ostrogoth-king"], "order:barbarian/vulture")
    assert by_name[0] == ["ostrogoth-king", "order:barbarian/vulture"]
    by_numbers = [choices_after("goths", {}, ["ostrogoth-king"], str(k))[0][0] for k in range(1, 9)]
    assert by_name[0] in by_numbers
    assert len({name for _, name in by_numbers}) == 8


def test_an_action_goes_by_its_own_number() -> None:
    choices, text = choices_after("goths", {}, ["ostrogoth-warchief"], "8")
    assert ["ostrogoth-warchief", "act:axe"] in choices
    assert " 8  Axe" in text


@pytest.mark.parametrize("nonsense", ["", "0", "10", "²", "act:dance", "order:barbarian/vulture", "\x1b[2J"])
def test_nonsense_is_refused_and_asked_again(nonsense: str) -> None:
    choices, text = choices_after("goths", {}, ["ostrogoth-warchief"], nonsense, "act:load")
    assert "is not one of the choices" in text
    assert ["ostrogoth-warchief", "act:load"] in choices


ROMANS = {"players": ["gold", "green"]}


@pytest.mark.parametrize(
    "form", ["{0} {1} {2} {3} {4} {5}", "plan:{0},{1},{2},{3},{4},{5}", "{0}, {1},{2} {3};{4} {5}"]
)
def test_a_plan_by_names(form: str) -> None:
    hand = Match.new("romans", ROMANS, 5).view("gold").json()["clans"]["gold"]["hand"]
    choices, _ = choices_after("romans", ROMANS, ["gold"], form.format(*reversed(hand)))
    assert ["gold", "plan:" + ",".join(hand[:0:-1])] in choices


@pytest.mark.parametrize("answer", ["7 6 5 4 3 2", "765432", "7,6,5,4,3,2"])
def test_a_plan_by_places(answer: str) -> None:
    hand = Match.new("romans", ROMANS, 5).view("gold").json()["clans"]["gold"]["hand"]
    choices, _ = choices_after("romans", ROMANS, ["gold"], answer)
    assert ["gold", "plan:" + ",".join(hand[:0:-1])] in choices


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("1 2 3", "you named 3"),
        ("", "you named 0"),
        ("1 1 2 3 4 5", "“1” is not one of the warriors left"),
        ("1 2 3 4 5 8", "“8” is not one of the warriors left"),
        ("1 2 3 4 5 boudicca", "“boudicca” is not one of the warriors left"),
    ],
)
def test_a_nonsense_plan_is_refused_and_asked_again(answer: str, message: str) -> None:
    choices, text = choices_after("romans", ROMANS, ["gold"], answer, "123456")
    assert message in text
    assert "gold" in [seat for seat, _ in choices]


def test_help_and_leaving() -> None:
    choices, text = choices_after("goths", {}, ["ostrogoth-king"], "?", "q")
    assert choices == []
    assert words("en").say("ui.help") in text
    assert text.splitlines()[-1].startswith("You leave the table.")


@pytest.mark.parametrize("error", [EOFError, KeyboardInterrupt])
@pytest.mark.parametrize("seats", [None, ["gold", "green"]])
def test_the_end_of_input_ends_politely_anywhere(error: type[BaseException], seats: list[str] | None) -> None:
    for asked in range(6):
        console = screen()
        person = Person(console)

        def read_line(prompt: str, person: Person = person, asked: int = asked) -> str:
            if person.asked == asked:
                raise error
            return person(prompt)

        match = play("romans", ROMANS, 5, seats, "en", console, read_line)
        assert match.outcome is None
        assert console.export_text(styles=False).splitlines()[-1].startswith("You leave the table.")


# Seats


@pytest.mark.parametrize(
    ("answer", "people"),
    [
        ("", [("gold",)]),
        ("2", [("green",)]),
        ("green gold", [("gold",), ("green",)]),
        ("1,2", [("gold",), ("green",)]),
    ],
)
def test_which_seats_is_asked(answer: str, people: list[tuple[str, ...]]) -> None:
    table = Table(Match.new("romans", ROMANS, 0), words("en"), screen(), answering("purple", answer))
    table.take_seats(None)
    assert table.people == people


def test_a_lone_ruler_takes_both_seats_of_his_clan() -> None:
    match = Match.new("goths", {"lone_rulers": ["visigoth"]}, 0)
    table = Table(match, words("en"), screen(), answering("3"))
    table.take_seats(None)
    assert table.people == [("visigoth-king", "visigoth-warchief")]


def test_an_unknown_seat_is_refused() -> None:
    with pytest.raises(Fault, match="purple"):
        play("romans", ROMANS, 0, ["purple"], "en", screen(), answering())


# The curtain


@pytest.mark.parametrize("name", ["four people", "partners", "two lone rulers", "four clans", "original rules"])
def test_a_curtain_falls_between_people_and_nothing_secret_stands_before_it(name: str) -> None:
    game, _, seats = VARIANTS[name]
    match, person, _ = played(name)
    say = words("en")
    names = {say.seat(game, seat): seat for seat in seats}
    public = say.story(game, match.events())
    secrets = {seat: {*say.story(game, match.events(seat))}.difference(public) for seat in match.seats}
    assert any(secrets.values())
    at_screen: set[str] = set()
    for shown in person.shown:
        if "Pass the device to" in shown:
            passed = re.search(r"Pass the device to: ([^.]*)\.", " ".join(shown.replace("│", " ").split()))
            assert passed
            assert "You play" not in shown
            at_screen = {names[each] for each in passed[1].split(" + ")}
        elif "You play" in shown:
            asked = re.search(r"You play: ([^.]*)\.", shown)
            assert asked
            assert names[asked[1]] in at_screen
        told = " ".join(shown.split())
        theirs = set().union(*(secrets[seat] for seat in match.seats if seat not in at_screen))
        mine = set().union(*(secrets[seat] for seat in at_screen))
        assert not [secret for secret in theirs - mine if secret.strip() in told]


@pytest.mark.parametrize("name", ["a king", "a lone ruler", "two clans"])
def test_one_person_alone_needs_no_curtain(name: str) -> None:
    _, person, text = played(name)
    assert "Pass the device to" not in text
    assert not any("Press Enter" in shown for shown in person.shown)


def test_the_curtain_wipes_the_screen_and_what_can_be_scrolled_back_to() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True)
    play("romans", ROMANS, 0, ["gold", "green"], "en", console, answering("", "123456", "", "123456"))
    before, after = file.getvalue().split("Pass the device to: Green")
    assert before.rindex("\x1b[2J") > before.rindex("You play: Gold")
    assert "\x1b[3J" in before[before.rindex("\x1b[2J") :]
    assert "\x1b[2J" in after[: after.index("You play: Green")]


# Secrets: change only what a seat cannot know, and its screen stays the same


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "nobody"])
def test_no_board_tells_what_its_seat_may_not_know(name: str) -> None:
    game, rules, _ = VARIANTS[name]
    dice = random.Random("another world")
    for step, match in enumerate(random_positions(game, rules, seed=2, every=7)):
        seat = (*match.seats, None)[step % (len(match.seats) + 1)]
        assert drawn(match, seat) == drawn(match.view(seat or SPECTATOR).redeal(dice), seat)


def test_the_king_is_not_told_where_the_queen_is() -> None:
    """His warchief looks at two objectives; all three change places and nothing the king sees does."""

    def rotate(record: dict[str, Any]) -> None:
        first, *rest = record["setup"]["objectives"]
        record["setup"]["objectives"] = [*rest, first]

    match = looking_match()
    other = replayed(match, rotate)
    assert until_first_question(match, ["ostrogoth-king"]) == until_first_question(other, ["ostrogoth-king"])
    assert until_first_question(looking_match(), ["ostrogoth-warchief"]) != until_first_question(
        replayed(looking_match(), rotate), ["ostrogoth-warchief"]
    )


def test_the_warchief_is_not_told_what_he_did_not_look_at() -> None:
    def swap(record: dict[str, Any]) -> None:
        one, two, three = record["setup"]["objectives"]
        record["setup"]["objectives"] = [one, three, two]

    text = until_first_question(looking_match(), ["ostrogoth-warchief"])
    assert text == until_first_question(replayed(looking_match(), swap), ["ostrogoth-warchief"])
    assert "◉" in text


def looking_match() -> Match:
    """The Ostrogoth warchief has looked at objective 1 and it is turn 2."""
    match = Match.new("goths", {}, 4)
    match.commit("ostrogoth-king", "order:vulture/recruiter")
    match.commit("visigoth-king", "order:recruiter/vulture")
    match.commit("ostrogoth-warchief", "act:reconnoitre")
    match.commit("visigoth-warchief", "act:recruit")
    match.commit("ostrogoth-warchief", "look:objective-1")
    match.commit("visigoth-king", "order:recruiter/vulture")
    return match


def test_fog_tokens_nobody_looked_at_stay_unknown() -> None:
    def exchange(record: dict[str, Any]) -> None:
        fog = record["setup"]["fog"]
        fog["ostrogoth"], fog["visigoth"] = fog["visigoth"], fog["ostrogoth"]

    match = Match.new("goths", {"fog_of_war": True}, 4)
    for seat in match.seats:
        assert drawn(match, seat) == drawn(replayed(match, exchange), seat)


def test_a_partner_is_not_told_the_front_of_the_king_card() -> None:
    texts = set()
    for front in ("vulture/recruiter", "recruiter/vulture"):
        match = Match.new("goths", {}, 4)
        match.commit("ostrogoth-king", f"order:{front}")
        match.commit("visigoth-king", "order:catapult/barbarian")
        texts.add(until_first_question(match, ["ostrogoth-warchief"]))
    assert len(texts) == 1


def test_a_rivals_hidden_line_and_aside_are_not_told() -> None:
    """Green's last three warriors and the one put aside change places; Gold's screen on turn 1 does not."""
    setup = Match.new("romans", {"players": ["gold", "green", "red"]}, 6).record()["setup"]
    setup["hands"][0]["gold"] = ["qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie"]
    setup["hands"][0]["green"] = ["axx", "archr", "qween", "druhid", "filchy", "horsie", "zvord"]
    texts = set()
    for plan in ("axx,archr,qween,druhid,filchy,horsie", "axx,archr,qween,zvord,horsie,druhid"):
        record = {
            "format": "meadhall/1",
            "game": "romans",
            "rules": {"players": ["gold", "green", "red"]},
            "setup": setup,
            "choices": [["green", f"plan:{plan}"], ["gold", "plan:qween,druhid,zvord,axx,archr,filchy"]],
        }
        match = Match.from_record(record)
        match.commit("red", match.choices("red")[0])
        assert match.waiting == ("gold",)  # her qween is the only one: whom does she charm?
        texts.add(until_first_question(match, ["gold"]))
    assert len(texts) == 1


# What the boards show


def test_marks_come_from_public_facts_alone() -> None:
    match = Match.new("goths", {}, 4)
    for seat, choice in (
        ("ostrogoth-king", "order:catapult/barbarian"),
        ("visigoth-king", "order:recruiter/vulture"),
        ("ostrogoth-warchief", "act:reconnoitre"),
        ("visigoth-warchief", "act:recruit"),
        ("visigoth-king", "order:recruiter/vulture"),
        ("ostrogoth-king", "order:vulture/recruiter"),
    ):
        match.commit(seat, choice)
    assert goths.chances(match.view("ostrogoth-warchief")) == {
        "vulture": "perhaps",
        "recruiter": "perhaps",
        "catapult": "surely",
        "barbarian": "no",
    }
    text = drawn(match, "ostrogoth-warchief")
    assert "● surely" in text
    assert "○ no" in text


def test_a_lone_ruler_knows_what_he_meant_so_that_nothing_is_left_to_chance() -> None:
    match = Match.new("goths", {"lone_rulers": ["ostrogoth"]}, 4)
    match.commit("ostrogoth-king", "order:vulture/recruiter")
    match.commit("visigoth-king", "order:recruiter/vulture")
    marks = {"vulture": "surely", "recruiter": "no", "catapult": "no", "barbarian": "no"}
    assert goths.chances(match.view("ostrogoth-warchief")) == marks
    rival = goths.chances(match.view("visigoth-warchief"))
    assert {name for name, mark in rival.items() if mark == "perhaps"} == {"vulture", "recruiter"}


def test_a_game_without_a_drawing_of_its_own_is_listed_plainly() -> None:
    assert drawing_of("romans") is import_module("meadhall.terminal.romans")
    assert drawing_of("pennies") is plain
    view = Match.new("goths", {}, 4).view("ostrogoth-king")
    assert plain.options(view) == dict(enumerate(view.choices, 1))
    assert 'initiative: "ostrogoth"' in str(plain.board(view, words("en")))


def test_a_lone_ruler_sees_the_king_card_he_laid() -> None:
    match = Match.new("goths", {"lone_rulers": ["ostrogoth"]}, 4)
    match.commit("ostrogoth-king", "order:vulture/recruiter")
    match.commit("visigoth-king", "order:recruiter/vulture")
    assert "only you know:  ◥▼◤ vulture bluff recruiter" in drawn(match, "ostrogoth-warchief")
    assert "only you know" not in drawn(match, "visigoth-warchief")


def test_the_romans_board_shows_every_clan_and_every_fort() -> None:
    for match in random_positions("romans", {"players": FOUR[:3], "neutrals": ["red"]}, seed=9, every=5):
        position = match.position()
        text = drawn(match, "violet")
        for clan in FOUR:
            assert words("en").name("romans", "clan", clan) in text
        assert text.count("█▄█▄▄█▄█") == len(position["wall"])
        assert text.count("✗") == sum(len(clan["discarded"]) for clan in position["clans"].values())
        hidden = len(position["clans"]["violet"]["hidden"])
        assert text.count("◉") == 1 + hidden
