"""Called back: it is one's own turn, and the page says so to somebody who looks elsewhere; never to one who looks."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.playhouse import Enter, pick, tag_is, until
from tests.web.stage import Stage

ALL = "sign sound notice"
CALLED = "● Your turn · Stage"
AWAY = "document.hasFocus = () => false"
BACK = "delete document.hasFocus, dispatchEvent(new Event('focus'))"
# What would be heard and seen outside the page: notes that start, and notifications.
NOTED = """(permission) => {
  window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.notes += 1;
    return start.apply(this, when);
  };
  window.notices = [];
  window.questions = 0;
  window.Notification = class {
    static permission = permission;
    static async requestPermission() {
      window.questions += 1;
      return (this.permission = permission === "default" ? "granted" : permission);
    }
    constructor(title, { body }) {
      window.notices.push(`${title} | ${body}`);
    }
    close() {
      window.notices.push("closed");
    }
  };
}"""


def listen(page: Page, permission: str = "granted") -> Page:
    page.evaluate(NOTED, permission)
    return page


def sealed(stage: Stage, page: Page) -> None:
    """The own choice is sealed: from here on one waits."""
    pick(page, "act:axe")
    page.locator("#act").click()
    expect(page.locator("[data-sealed]")).to_have_count(1)


def icon(page: Page) -> str | None:
    return page.locator("link[rel=icon]").get_attribute("href")


def test_whoever_is_away_is_called_by_title_badge_sound_and_notification_until_she_looks(
    stage: Stage, enter: Enter
) -> None:
    stage.put(ways=ALL, title="Stage")
    page = listen(enter())
    sealed(stage, page)
    page.evaluate(AWAY)
    stage.change(position=5, sealed="")
    expect(page).to_have_title(CALLED)
    assert icon(page) == "data:,called"
    until(page, lambda: page.evaluate("notes") == 2)
    assert page.evaluate("notices") == ["Your turn · Stage | Meadhall · ABCD"]
    stage.change(slip="Somebody has gone.")  # something else happens: still called, not called again
    expect(page.locator(".slip")).to_be_visible()
    expect(page).to_have_title(CALLED)
    page.evaluate(BACK)
    expect(page).to_have_title("Stage")
    assert icon(page) == "data:,"
    assert page.evaluate("notices") == ["Your turn · Stage | Meadhall · ABCD", "closed"]
    assert page.evaluate("notes") == 2


def test_whoever_looks_hears_two_notes_and_nothing_else(stage: Stage, enter: Enter) -> None:
    stage.put(ways=ALL, title="Stage")
    page = listen(enter())
    sealed(stage, page)
    stage.change(position=5, sealed="")
    until(page, lambda: page.evaluate("notes") == 2)
    expect(page).to_have_title("Stage")
    assert page.evaluate("notices") == []
    stage.change(slip="Somebody has gone.")
    expect(page.locator(".slip")).to_be_visible()
    assert page.evaluate("notes") == 2


def test_others_turns_call_nobody(stage: Stage, enter: Enter) -> None:
    stage.put(ways=ALL, title="Stage")
    page = listen(enter())
    sealed(stage, page)
    page.evaluate(AWAY)
    for position in (5, 6):
        stage.change(position=position, sealed="", choices={})
        expect(page.locator("#table")).to_have_attribute("data-position", str(position))
    expect(page).to_have_title("Stage")
    assert page.evaluate("[notes, notices.length]") == [0, 0]


def test_choosing_elsewhere_takes_the_call_back(stage: Stage, enter: Enter) -> None:
    stage.put(ways="sign", title="Stage")
    page = enter()
    page.evaluate(AWAY)
    stage.change(position=5)
    expect(page).to_have_title(CALLED)
    stage.change(sealed="act:axe")
    expect(page).to_have_title("Stage")
    assert icon(page) == "data:,"


def test_a_page_nobody_has_touched_makes_no_sound(stage: Stage, enter: Enter) -> None:
    stage.put(ways="sound")
    page = listen(enter())
    page.evaluate(AWAY)
    stage.change(position=5)
    tag_is(page, stage.tag)
    page.wait_for_timeout(50)
    assert page.evaluate("notes") == 0


@pytest.mark.parametrize("way", ALL.split())
def test_each_way_can_be_switched_off_alone(way: str, stage: Stage, enter: Enter) -> None:
    stage.put(ways=" ".join(each for each in ALL.split() if each != way), title="Stage")
    page = listen(enter())
    sealed(stage, page)
    page.evaluate(AWAY)
    stage.change(position=5, sealed="")
    tag_is(page, stage.tag)
    if way != "sound":
        until(page, lambda: page.evaluate("notes") == 2)
    assert page.evaluate("notes") == (0 if way == "sound" else 2)
    expect(page).to_have_title("Stage" if way == "sign" else CALLED)
    assert len(page.evaluate("notices")) == (0 if way == "notice" else 1)


def test_switches_work_at_once_are_remembered_and_ask_for_leave_only_when_switched_on(
    stage: Stage, enter: Enter
) -> None:
    stage.put(ways="sign sound", title="Stage")
    page = listen(enter(), "default")
    assert page.evaluate("questions") == 0
    for name, value, pressed in (
        ("notice", "on", "true"),
        ("sound", "off", "false"),
        ("sign", "off", "false"),
        ("sound", "on", "true"),
    ):
        button = page.locator(f"#call [name={name}]")
        expect(button).to_have_attribute("value", value)
        button.click()
        expect(button).to_have_attribute("aria-pressed", pressed)
        until(page, lambda name=name, value=value: {name: value} in stage.settings)
    assert page.evaluate("questions") == 1
    until(page, lambda: page.evaluate("notes") == 2)  # a sample
    page.evaluate(AWAY)
    stage.change(position=5)
    until(page, lambda: page.evaluate("[notes, notices.length]") == [4, 1])
    expect(page).to_have_title("Stage")
    assert stage.pages == 1


def test_where_the_browser_forbids_notifications_the_switch_says_so_and_stays_off(stage: Stage, enter: Enter) -> None:
    stage.put(ways="sign")
    page = listen(enter(), "denied")
    page.locator("#call [name=notice]").click()
    expect(page.locator("[data-denied]")).to_be_visible()
    expect(page.locator("#call [name=notice]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#say")).to_contain_text("Not allowed.")
    assert stage.settings == []


def test_a_curtain_is_passed_on_in_silence_and_calls_only_from_away(stage: Stage, enter: Enter) -> None:
    stage.put(ways="sign sound", title="Stage")
    page = listen(enter())
    sealed(stage, page)
    stage.change(kind="curtain", sealed="")
    tag_is(page, stage.tag)
    page.wait_for_timeout(50)
    assert page.evaluate("notes") == 0
    expect(page).to_have_title("Stage")
    page.evaluate(AWAY)
    stage.change()
    expect(page).to_have_title(CALLED)


def test_the_sound_is_soft_and_short(enter: Enter) -> None:
    loudness = """async () => {
      const { chime } = await import("/static/call.js");
      const output = new OfflineAudioContext(1, 44100 * 2, 44100);
      chime(output);
      const heard = (await output.startRendering()).getChannelData(0).map(Math.abs);
      return { peak: Math.max(...heard), last: heard.findLastIndex((level) => level > 0.001) / 44100 };
    }"""
    heard = enter().evaluate(loudness)
    assert 0.03 < heard["peak"] < 0.25
    assert 0.3 < heard["last"] < 1
