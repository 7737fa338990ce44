"""A lesson without a script: links and forms lead through it, it is found again, and it can be left at any step."""

import re

import pytest

from meadhall.games.game import GAMES
from meadhall.web.lesson import HELP_AFTER, Lesson, Step, lesson_of
from meadhall.words import words
from tests.web.server import Server
from tests.web.visitor import Browser

LESSONS = {game: lesson for game in GAMES if (lesson := lesson_of(game))}
every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)


def said(text: str) -> str:
    """What the teacher says on a page."""
    found = re.search(r'id="coach-text">(.*?)</p>', text, re.DOTALL)
    assert found
    return found[1]


def form(lesson: Lesson, choice: str) -> dict[str, str]:
    """A form that makes a choice, as a page without a script sends it."""
    verb, _, rest = choice.partition(":")
    if verb not in ("plan", "reorder"):
        return {"choice": choice}
    line = rest.split(",")
    return {f"place-{number}": f"{each}-{number}" for number, each in enumerate(line, 7 - len(line))}


def links(text: str) -> list[str]:
    return re.findall(r'href="(/learn/[^"]+)"', text)


def a_wrong_choice(lesson: Lesson, step: Step) -> str | None:
    view = lesson.position(step).view(step.seat)
    named = [choice for answer in step.wrong for choice in answer.named]
    others = (choice for choice in view.choices if choice not in step.right.choices)
    return named[0] if named else next(others, None)


@every_lesson
def test_a_lesson_is_played_by_forms_with_a_wrong_try_at_each_step_and_ends_at_a_table(
    server: Server, lesson: Lesson
) -> None:
    ada = Browser(server)
    at = ada.get(f"/learn/{lesson.game}").headers["location"]
    assert at == f"/learn/{lesson.game}/1"
    for number, step in enumerate(lesson.steps, 1):
        page = ada.get(at)
        assert page.status_code == 200
        assert words("en").say(step.title).replace("'", "&#39;") in page.text
        assert words("en").say("ui.learn.step", number=number, all=len(lesson.steps)) in page.text
        action = re.search(r'id="choose" method="post" action="([^"]+)"', page.text)
        assert action
        wrong = a_wrong_choice(lesson, step)
        if wrong:
            page = ada.post(action[1], form(lesson, wrong))
            assert page.status_code == 200
            assert words("en").say("ui.learn.would") in page.text
            assert 'id="choose"' not in page.text
            assert "<template" not in page.text  # nothing to tell without a script
            again = f"/learn/{lesson.game}/{number}/1"
            assert again in links(page.text)
            assert said(ada.get(again).text) == said(ada.get(at).text)
        page = ada.post(action[1], form(lesson, step.right.choices[0]))
        assert 'data-tone="right"' in page.text
        at = f"/learn/{lesson.game}/{number + 1}"
        assert (at in links(page.text)) == (number < len(lesson.steps))
    assert words("en").say("ui.learn.won") in page.text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text.partition('"/play"')[2]))
    assert fields == {"game": lesson.game, **lesson.first_game}
    first_game = ada.post("/play", fields)
    assert re.fullmatch(r"/t/\w+", first_game.headers["location"])
    assert 'class="lead"' not in ada.get("/").text


@every_lesson
def test_it_goes_on_where_one_stopped_and_is_offered_first_only_to_who_has_never_played(
    server: Server, lesson: Lesson
) -> None:
    new = Browser(server)
    lead, plain = (re.compile(rf'<a class="{kind}" href="/learn/{lesson.game}"') for kind in ("lead", "btn plain"))
    home = new.get("/").text
    assert lead.search(home)
    assert not plain.search(home)
    assert words("en").say("ui.learn.start") in home
    new.get(f"/learn/{lesson.game}/3")
    assert new.get(f"/learn/{lesson.game}").headers["location"] == f"/learn/{lesson.game}/3"
    home = new.get("/").text
    assert words("en").say("ui.learn.resume") in home
    assert words("en").say("ui.learn.step", number=3, all=len(lesson.steps)) in home
    left = new.post(f"/learn/{lesson.game}/skip")
    assert left.headers["location"] == "/"
    home = new.get("/").text
    assert not lead.search(home)
    assert plain.search(home)
    assert new.get(f"/learn/{lesson.game}").headers["location"] == f"/learn/{lesson.game}/1"
    player = Browser(server)
    player.play(lesson.game)
    assert 'class="lead"' not in player.get("/").text


@every_lesson
def test_after_two_wrong_tries_the_right_choice_is_pointed_at(server: Server, lesson: Lesson) -> None:
    ada = Browser(server)
    for number, step in enumerate(lesson.steps, 1):
        quiet, helped = (
            ada.get(f"/learn/{lesson.game}/{number}/{tries}").text for tries in (HELP_AFTER - 1, HELP_AFTER)
        )
        assert quiet.count("data-point") >= 1, step.name
        assert helped.count("data-point") >= quiet.count("data-point"), step.name
        for choice in step.right.choices:
            if f'value="{choice}"' in helped:
                assert f'value="{choice}" data-point' in helped


@every_lesson
def test_a_page_of_a_lesson_follows_from_its_address_alone(server: Server, lesson: Lesson) -> None:
    one, other = Browser(server), Browser(server)
    one.play(lesson.game)
    for number in range(1, len(lesson.steps) + 1):
        assert one.get(f"/learn/{lesson.game}/{number}").text == other.get(f"/learn/{lesson.game}/{number}").text


@every_lesson
def test_what_the_script_gets_is_told_beat_by_beat_before_the_table(server: Server, lesson: Lesson) -> None:
    ada = Browser(server)
    step = lesson.steps[0]
    tried = lesson.try_out(step, step.right.choices[0])
    answer = ada.post(
        f"/learn/{lesson.game}/1/choose", form(lesson, step.right.choices[0]), **{"x-fragment": "table"}
    ).text
    assert answer.count("<template") == len(tried.news)
    assert re.findall(r'data-kind="(\w+)"', answer) == [each.beat.kind for each in tried.news]
    assert answer.index("<main") > answer.rindex("</template>")
    assert "<html" not in answer


def test_what_is_no_step_is_not_found(server: Server) -> None:
    ada = Browser(server)
    for path in ("chess", "goths/0", "goths/99", "goths/one", "goths/1/x", "goths/1/9999", "goths/1/-1"):
        assert ada.get(f"/learn/{path}").status_code == 404, path
    assert ada.post("/learn/goths/99/choose", {"choice": "act:fire"}).status_code == 404
    assert ada.post("/learn/chess/skip").status_code == 404


def test_what_cannot_be_chosen_is_refused_and_the_step_stands(server: Server) -> None:
    ada = Browser(server)
    for choice in ("", "act:dance", "order:vulture/recruiter", "x" * 500):
        answer = ada.post("/learn/goths/1/choose", {"choice": choice})
        assert answer.status_code == 422
        assert words("en").say("ui.slip.not-possible") in answer.text
        assert said(answer.text) == said(ada.get("/learn/goths/1").text)
    back = ada.get("/learn/goths/1/2/choose")
    assert (back.status_code, back.headers["location"]) == (303, "/learn/goths/1/2")


def test_a_line_that_is_begun_is_laid_in_part_and_can_be_filled_from_lists(server: Server) -> None:
    text = Browser(server).get("/learn/romans/1").text
    lists = re.findall(r'<select name="place-(\d)".*?</select>', text, re.DOTALL)
    laid = re.findall(r'<select name="place-(\d)"(?:(?!</select>).)*?value="(\w+)-\d" selected', text, re.DOTALL)
    assert lists == ["1", "2", "3", "4", "5", "6"]
    assert [warrior for _, warrior in laid] == ["axx", "horsie", "druhid", "filchy", "archr"]
    assert [place for place, _ in laid] == lists[1:]
    tray = text.partition('class="tray"')[2]
    assert re.findall(r'data-card="\d" data-warrior="(\w+)"', re.sub(r"\s+", " ", tray)) == ["zvord", "charriott"]


def test_rules_and_the_first_turn_lead_to_the_lesson(server: Server) -> None:
    ada = Browser(server)
    for game in LESSONS:
        assert f'href="/learn/{game}"' in ada.get(f"/rules/{game}").text
        assert f'href="/learn/{game}"' in ada.get(f"/t/{ada.play(game)}").text
