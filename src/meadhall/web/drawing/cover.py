"""The picture of no position: Meadhall itself, or one of its games, with the banners of those who play."""

from meadhall.web.drawing import art, letters
from meadhall.web.drawing.canvas import Canvas, Drawing
from meadhall.web.drawing.cloth import BLEED, HEM, hem, weave
from meadhall.web.game import form_of
from meadhall.words import Words

WIDTH, HEIGHT = 1200.0, 630.0
BEAM = 40.0
RAIL = 92.0
BANNER = (80.0, 140.0)


def cover(words: Words, games: tuple[str, ...], theme: str = "light") -> Drawing:
    """A link's picture: several games under the name of the house, or one game under its own."""
    canvas = Canvas(theme, WIDTH, HEIGHT)
    token, middle = canvas.token, WIDTH / 2
    canvas.bands = ((BEAM, token("rail")), (HEIGHT - RAIL, token("cloth")), (HEIGHT, token("rail")))
    canvas.lay(0, 0, canvas.rect(-BLEED, 0, WIDTH + 2 * BLEED, HEIGHT, token("cloth")))
    canvas.lay(0, 0, weave(canvas, 0, HEIGHT))
    canvas.lay(0, 0, canvas.rect(-BLEED, 0, WIDTH + 2 * BLEED, BEAM, token("rail")))
    canvas.lay(0, BEAM, hem(canvas))
    _banners(canvas, games)
    titles = [words.title(game) for game in games]
    if len(games) == 1:
        sign = games[0] if games[0] in art.symbols() else "recruiter"
        canvas.lay(middle - 75, 110, canvas.sign(sign, 0, 0, 150, token("accent"), token("cloth")))
        canvas.lay(middle, 330, canvas.words(titles[0], 0, 0, (84, 76, 68, 60), 820, token("ink"), "title", "middle"))
        horn = canvas.sign("recruiter", -102, -20, 40, token("accent"), token("cloth"))
        canvas.lay(middle, 420, horn + canvas.words("Meadhall", -52, 0, (40,), 400, token("muted"), "title"))
    else:
        wide = letters.width("Meadhall", "title", 112)
        horn = canvas.sign("recruiter", 0, -58, 112, token("accent"), token("cloth"))
        canvas.lay(
            middle - (wide + 140) / 2, 250, horn + canvas.words("Meadhall", 140, 0, (112,), 900, token("ink"), "title")
        )
        step = 84 if len(titles) < 3 else 60
        for number, (game, title) in enumerate(zip(games, titles, strict=True)):
            size = 46.0
            across = letters.width(title, "title", size) + 66
            sign = game if game in art.symbols() else "recruiter"
            drawn = canvas.sign(sign, 0, -26, 50, token("accent"), token("cloth"))
            canvas.lay(
                middle - across / 2,
                362 + number * step,
                drawn + canvas.words(title, 66, 0, (size,), 1000, token("ink"), "title"),
            )
    foot = canvas.rect(-BLEED, 0, WIDTH + 2 * BLEED, RAIL, token("rail"))
    foot += canvas.words(
        words.say("ui.home.what"), middle, 48, range(27, 18, -1), WIDTH - 80, token("rail-ink"), "text", "middle"
    )
    canvas.lay(0, HEIGHT - RAIL, foot)
    canvas.lay(0, HEIGHT - RAIL - HEM, hem(canvas))
    return canvas.finished(" · ".join(["Meadhall", *titles]), words.say("ui.home.what"), token("surface"))


def _banners(canvas: Canvas, games: tuple[str, ...]) -> None:
    """Each side's banner, half of them on the left and half on the right."""
    sides = [
        (game, side)
        for game in games
        for side in dict.fromkeys(seat.partition("-")[0] for seat in form_of(game).seats)
        if f"{game}-{side}" in art.symbols()
    ]
    half = (len(sides) + 1) // 2
    width, height = BANNER
    for number, (game, side) in enumerate(sides):
        left = number < half
        place = number if left else len(sides) - 1 - number
        x = 36 + place * (width + 12)
        x = x if left else WIDTH - x - width
        fill = canvas.side(game, side).fill
        cloth = f"M0 0h{width:.0f}v{height:.0f}L{width / 2:.0f} {height * 0.84:.0f} 0 {height:.0f}z"
        drawn = f'<path d="{cloth}" transform="translate(2 4)" opacity=".22"/><path d="{cloth}" fill="{fill}"/>'
        drawn += canvas.disc(width / 2, 56, 32, canvas.token("paper"))
        drawn += canvas.emblem(game, side, width / 2 - 21, 37, 42)
        canvas.lay(x, BEAM, drawn)
