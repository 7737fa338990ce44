"""The picture of a game that has no drawing of its own: what its view says, line by line."""

from collections.abc import Mapping, Sequence

from meadhall.games.game import Event
from meadhall.match import Beat, View
from meadhall.web.drawing import letters
from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.cloth import EDGE, Heading, frame
from meadhall.web.telling import told
from meadhall.words import Words

WIDTH, HEIGHT = 1200.0, 630.0
_LINE = 34.0


def draw(
    view: View, events: Sequence[Event], words: Words, theme: str, people: Mapping[str, str], beat: Beat | None
) -> Drawing:
    """The position in words on the cloth."""
    game = view.game
    canvas = Canvas(theme, WIDTH, HEIGHT)
    outcome = game.outcome(view.rules, view.plain)
    sentence = told(words, game.name, beat) if beat else words.outcome(game.name, outcome.record) if outcome else ""
    when = words.say("ui.turn", turn=game.turn(view.plain))
    top, end = frame(canvas, Heading(words.title(game.name), when, sentence))
    lines = str(view).splitlines()
    for number, line in enumerate(lines[: int((end - top - 30) / _LINE)]):
        short = letters.shortened(line, "text", 22, WIDTH - 2 * EDGE)
        canvas.lay(EDGE, top + 40 + number * _LINE, canvas.text(short, 0, 0, 22, canvas.token("ink")))
    return canvas.finished(words.title(game.name), "\n".join([sentence, *lines]).strip(), canvas.token("surface"))
