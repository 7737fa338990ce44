"""The rulebook as pages: every clause has an anchor of its own, every mention of one leads to it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from meadhall.words.rulebook import rulebook

_CLAUSE = re.compile(r"[A-Z]\d+\.\d+")
_MENTION = re.compile(r"\b([A-Z]\d+\.\d+)\b")
_TAG = re.compile(r"(<[^>]*>)")
LONGEST_QUESTION = 60  # letters that are looked for
LINE, AROUND = 90, 40  # letters of a line of results, and how many may come before the first hit


@dataclass(frozen=True)
class Block:
    """A piece of a part: a clause by its number, a decision on a clause, or prose."""

    html: Markup
    clause: str = ""
    decides: str = ""  # the clause on which this is our decision
    decided: bool = False  # is there a decision of ours on this clause?

    @property
    def anchor(self) -> str:
        """The name under which an address leads here; prose has none."""
        return self.clause or (f"why-{self.decides}" if self.decides else "")

    @property
    def number(self) -> str:
        """The clause this is, or is about."""
        return self.clause or self.decides

    @property
    def text(self) -> str:
        """The words alone."""
        return " ".join(unescape(_TAG.sub(" ", self.html)).split())


@dataclass(frozen=True)
class Run:
    """Clauses or decisions in a row, or prose."""

    listed: bool
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Part:
    """A part of a rulebook: where it is, what it is called, and what it says."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]

    @property
    def runs(self) -> list[Run]:
        """What it says as lists of clauses and the prose between them."""
        return [Run(listed, tuple(some)) for listed, some in groupby(self.blocks, lambda block: bool(block.anchor))]


@dataclass(frozen=True)
class RulePage:
    """A rulebook in one language."""

    title: str
    lead: Markup
    parts: tuple[Part, ...]

    @property
    def blocks(self) -> list[Block]:
        """Everything that can be pointed to, in order."""
        return [block for part in self.parts for block in part.blocks if block.anchor]


@cache
def page(game: str, lang: str) -> RulePage:
    """The rulebook of a game."""
    reader = MarkdownIt("commonmark", {"html": False})
    tokens = reader.parse(rulebook(game, lang))
    known = set(_numbers(tokens, "strong_open"))
    decided = set(_numbers(tokens, "em_open"))
    for token in tokens:
        if token.children:
            token.children = [_linked(child, known) if child.type == "text" else child for child in token.children]

    def made(some: Sequence[Token]) -> Markup:
        return Markup(reader.renderer.render(some, reader.options, {}))

    title, lead, parts = "", Markup(""), list[Part]()
    for heading, body in _parts(tokens):
        if heading.tag == "h1":
            title, lead = _words(heading), made(body)
            continue
        blocks = []
        for number, mark, some in _blocks(body):
            is_clause = mark == "strong_open"
            blocks.append(
                Block(made(some), number, decided=number in decided) if is_clause else Block(made(some), decides=number)
            )
        parts.append(Part(f"part-{len(parts) + 1}", _words(heading), tuple(blocks)))
    return RulePage(title, lead, tuple(parts))


def _words(heading: Token) -> str:
    return str(heading.meta["words"])


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """Each heading of a part, and what stands below it."""
    heading: Token | None = None
    body: list[Token] = []
    k = 0
    while k < len(tokens):
        token = tokens[k]
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            if heading is not None:
                yield heading, body
            heading, body = token, []
            heading.meta["words"] = unescape("".join(_TAG.sub("", c.content) for c in tokens[k + 1].children or ()))
            k += 3
            continue
        body.append(token)
        k += 1
    if heading is not None:
        yield heading, body


def _blocks(body: Sequence[Token]) -> Iterator[tuple[str, str, list[Token]]]:
    """The pieces of a part: what number each begins with and how that is marked, both "" for prose."""
    k = 0
    while k < len(body):
        end = _end(body, k)
        if body[k].type != "bullet_list_open" or not _numbers(body[k:end], "strong_open", "em_open"):
            yield "", "", list(body[k:end])
        else:
            item = k + 1
            while body[item].type == "list_item_open":
                close = _end(body, item)
                yield _clause(list(body[item + 1 : close - 1]))
                item = close
        k = end


def _clause(tokens: list[Token]) -> tuple[str, str, list[Token]]:
    """An item without the number it begins with."""
    first = tokens[1]
    children = first.children or []
    start = next(k for k, child in enumerate(children) if child.type in ("strong_open", "em_open"))
    number = _plain(children[start + 1])
    after = children[start + 3 :]
    after[0].content = after[0].content.lstrip()
    first.children = after
    for token in tokens:
        if token.level == tokens[0].level:
            token.hidden = False  # a paragraph of its own, however the list is set
    return number, children[start].type, tokens


def _end(tokens: Sequence[Token], k: int) -> int:
    """Just after what a token opens."""
    depth = 0
    while True:
        depth += tokens[k].nesting
        k += 1
        if depth == 0:
            return k


def _numbers(tokens: Sequence[Token], *marks: str) -> list[str]:
    """The numbers with which items begin, marked in one of these ways."""
    found = []
    for k, token in enumerate(tokens):
        if token.type != "list_item_open" or tokens[k + 2].type != "inline":
            continue
        children = [child for child in tokens[k + 2].children or () if child.content or child.nesting]
        if len(children) > 2 and children[0].type in marks and _CLAUSE.fullmatch(_plain(children[1])):
            found.append(_plain(children[1]))
    return found


def _plain(token: Token) -> str:
    return unescape(_TAG.sub("", token.content))


def _linked(text: Token, known: set[str]) -> Token:
    """A text in which each clause of this book is a link to it."""

    def link(mention: re.Match[str]) -> str:
        clause = mention[1]
        return f'<a href="#{clause}">{clause}</a>' if clause in known else clause

    return Token("html_inline", "", 0, content=_MENTION.sub(link, str(escape(text.content))))


# Search


def fold(text: str) -> str:
    """A text as it is looked for: without accents, in small letters, as long as it was."""
    return "".join(_folded(letter) for letter in text)


@cache
def _folded(letter: str) -> str:
    bare = unicodedata.normalize("NFD", letter)[:1].lower()
    return bare[:1] or letter


def asked(question: str) -> list[str]:
    """The words of a question, as they are looked for."""
    return fold(question[:LONGEST_QUESTION]).split()


def found(book: RulePage, wanted: Sequence[str]) -> list[Block]:
    """The clauses and decisions that hold all these words."""
    if not wanted:
        return []
    return [block for block in book.blocks if all(word in fold(f"{block.number} {block.text}") for word in wanted)]


def snippet(block: Block, wanted: Sequence[str]) -> Markup:
    """A line of a clause around the first of the words that were looked for, with these marked."""
    text, whole = block.text, fold(block.text)
    first = min((whole.find(word) for word in wanted if word in whole), default=0)
    start = text.rfind(" ", 0, max(first - 24, 0)) + 1 if first > AROUND else 0
    end = len(text) if len(text) - start <= LINE else text.rfind(" ", start, start + LINE)
    line = f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"
    return Markup(_mark(line, wanted))


def marked(html: str, wanted: Sequence[str]) -> Markup:
    """A text with the words that were looked for marked in it."""
    pieces = _TAG.split(str(html))
    return Markup("".join(piece if k % 2 else _mark(unescape(piece), wanted) for k, piece in enumerate(pieces)))


def _mark(text: str, wanted: Sequence[str]) -> str:
    whole = fold(text)
    hits = sorted({(m.start(), m.end()) for word in wanted for m in re.finditer(re.escape(word), whole)})
    made, at = "", 0
    for start, end in hits:
        if end <= at:
            continue
        start = max(start, at)
        made += f"{escape(text[at:start])}<mark>{escape(text[start:end])}</mark>"
        at = end
    return made + str(escape(text[at:]))
