"""The lessons as data: every position is reached by the rules, and every sentence is true of the choice it is about."""

import re
from random import Random

import pytest

from meadhall.games.game import GAMES
from meadhall.web.folders import game_folders
from meadhall.web.game import form_of
from meadhall.web.lesson import ALIKE, OTHERWISE, Lesson, Step, Tried, lesson_of
from meadhall.words import words
from meadhall.words.languages import LANGUAGES

LESSONS = {game: lesson for game in GAMES if (lesson := lesson_of(game))}
STEPS = [(lesson, step) for lesson in LESSONS.values() for step in lesson.steps]
MANY = 200  # choices, of which a sample must do
SAMPLE = 40
LONGEST = 170  # letters of a text, in English
every_step = pytest.mark.parametrize(
    ("lesson", "step"), STEPS, ids=[f"{lesson.game}-{step.name}" for lesson, step in STEPS]
)


TRIES: dict[tuple[str, str, str], Tried] = {}


def try_out(lesson: Lesson, step: Step, choice: str) -> Tried:
    """What a choice leads to; several tests ask for the same."""
    key = (lesson.game, step.name, choice)
    if key not in TRIES:
        TRIES[key] = lesson.try_out(step, choice)
    return TRIES[key]


def choices(lesson: Lesson, step: Step) -> list[str]:
    """Everything the learner may choose; where there are thousands, what the step names and some more."""
    view = lesson.position(step).view(step.seat)
    if len(view.choice_ids) <= MANY:
        return list(view.choices)
    named = [choice for answer in step.answers for choice in answer.named]
    rng = Random(step.name)
    return named + [view.sample(rng) for _ in range(SAMPLE)]


def test_both_games_have_a_lesson_and_a_folder_without_one_has_none() -> None:
    assert set(LESSONS) <= set(game_folders())
    assert {"goths", "romans"} <= set(LESSONS)
    assert lesson_of("no-such-game") is None


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_lesson_is_short_names_its_steps_and_ends_in_a_gentle_game(lesson: Lesson) -> None:
    names = [step.name for step in lesson.steps]
    assert 7 <= len(names) <= 9
    assert len(set(names)) == len(names)
    form = form_of(lesson.game)
    answers = form.answers(lesson.first_game, words("en"))
    assert {name: answers[name] for name in lesson.first_game} == dict(lesson.first_game)
    assert answers["level"] == "easy"
    assert set(form.play_now(answers).others.values()) <= {"easy", "random"}


@every_step
def test_the_learner_is_asked_at_the_position_of_a_step(lesson: Lesson, step: Step) -> None:
    match = lesson.position(step)
    assert step.seat in match.waiting
    assert match.view(step.seat).own is None


@every_step
def test_what_is_begun_is_a_part_of_what_is_asked_for(lesson: Lesson, step: Step) -> None:
    if step.begun:
        whole = zip(re.split("[:,]", step.begun), re.split("[:,]", step.right.named[0]), strict=True)
        differ = [(begun, asked) for begun, asked in whole if begun != asked]
        assert differ
        assert all(begun == "" for begun, _ in differ)


@every_step
def test_every_choice_has_an_answer_and_every_answer_a_choice(lesson: Lesson, step: Step) -> None:
    found = choices(lesson, step)
    view = lesson.position(step).view(step.seat)
    named = [choice for answer in step.answers for choice in answer.named]
    assert len(set(named)) == len(named)
    assert [choice for choice in named if not view.is_legal(choice)] == []
    given = {choice: try_out(lesson, step, choice).answer for choice in found}
    assert [answer for answer in step.answers if answer not in given.values()] == []
    assert [choice for answer in step.answers for choice in answer.named if given[choice] is not answer] == []
    assert all(answer.named and answer.brings for answer in step.answers if ALIKE in answer.choices)
    assert OTHERWISE not in step.right.choices
    assert all(OTHERWISE not in answer.choices for answer in step.wrong[:-1])


@every_step
def test_what_is_said_of_a_choice_is_what_it_brings_about(lesson: Lesson, step: Step) -> None:
    assert step.right.brings
    for choice in choices(lesson, step):
        tried = try_out(lesson, step, choice)
        assert tried.news, f"{choice} tells nothing"
        assert [each for each in tried.answer.brings if not each.is_in(tried.events)] == [], choice
        assert [each for each in tried.answer.lacks if each.is_in(tried.events)] == [], choice
        assert tried.right == all(each.is_in(tried.events) for each in step.right.brings), choice


@every_step
def test_what_the_others_answer_is_what_they_may_choose(lesson: Lesson, step: Step) -> None:
    """Nothing that stands in `then` is passed over for every choice it is the answer to."""
    played: set[tuple[str, str]] = set()
    written = {*step.then, *(reply for answer in step.answers for reply in answer.then or ())}
    for choice in choices(lesson, step):
        match = lesson.position(step)
        match.commit(step.seat, choice)
        for seat, reply in step.replies_to(choice):
            if seat in match.waiting and match.is_legal(seat, reply):
                match.commit(seat, reply)
                played.add((seat, reply))
    assert written == played


@every_step
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_there_short_and_filled_in(lesson: Lesson, step: Step, lang: str) -> None:
    said = words(lang)
    position = lesson.position(step).view(step.seat)
    texts = [said.say(step.ask, **lesson.facts(position, said))]
    for choice in choices(lesson, step):
        tried = try_out(lesson, step, choice)
        texts.append(said.say(tried.answer.says, **lesson.facts(tried.view, said)))
    for text in texts:
        assert len(text) <= LONGEST, text
        assert not re.search(r"[{}]|: \.|  ", text), text
        assert len(re.findall(r"[.!?](?= |$)", text)) <= 2, text
    assert len(said.say(step.title)) <= 40
    for key in (step.title, step.ask, *(answer.says for answer in step.answers)):
        assert not re.search(r"\d", said.messages[key][0]), f"{key}: numbers are facts"
