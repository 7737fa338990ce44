"""The rulebook as pages: every clause has an anchor of its own, every mention of one leads to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from meadhall.words.rulebook import rulebook

_CLAUSE = re.compile(r"[A-Z]\d+\.\d+")
_MENTION = re.compile(r"\b([A-Z]\d+\.\d+)\b")
# What the four rulebooks call a decision of ours, where the printed rules say nothing.
_OURS = ("Our decision", "Notre choix", "Unsere Entscheidung", "Nuestra decisión")


@dataclass(frozen=True)
class RulePage:
    """A rulebook in one language: its text, and its parts by anchor and title."""

    body: Markup
    contents: tuple[tuple[str, str], ...]


@cache
def page(game: str, lang: str) -> RulePage:
    """The rulebook of a game."""
    reader = MarkdownIt("commonmark", {"html": False})
    tokens = reader.parse(rulebook(game, lang))
    contents: list[tuple[str, str]] = []
    for before, token in pairwise(tokens):
        if before.type == "heading_open" and before.tag == "h2":
            before.attrSet("id", f"part-{len(contents) + 1}")
            contents.append((str(before.attrGet("id")), _text(token)))
    _name_clauses(tokens)
    known = {str(token.attrGet("id")) for token in tokens if token.attrGet("id")}
    for token in tokens:
        if token.children:
            token.children = _mark_up(token.children, known)
    return RulePage(Markup(reader.renderer.render(tokens, reader.options, {})), tuple(contents))


def _name_clauses(tokens: Sequence[Token]) -> None:
    """Give each item that starts with a clause's number that number as its id."""
    item: Token | None = None
    for token in tokens:
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            start = [child.content for child in token.children or () if child.content][:1]
            if start and token.content.startswith("**") and _CLAUSE.fullmatch(start[0]):
                item.attrSet("id", start[0])
                item.attrSet("class", "rule")
            item = None


def _mark_up(children: Sequence[Token], known: set[str]) -> list[Token]:
    """The words of a paragraph, with its mentions of clauses as links and our decisions marked."""
    marked: list[Token] = []
    for k, child in enumerate(children):
        if child.type == "em_open" and children[k + 1].content.startswith(_OURS):
            child.attrSet("class", "ours")
        if child.type == "text":
            marked.append(_linked(child, known))
        else:
            marked.append(child)
    return marked


def _linked(text: Token, known: set[str]) -> Token:
    """A text in which each clause of this book is a link to it."""

    def link(mention: re.Match[str]) -> str:
        clause = mention[1]
        return f'<a href="#{clause}">{clause}</a>' if clause in known else clause

    return Token("html_inline", "", 0, content=_MENTION.sub(link, str(escape(text.content))))


def _text(heading: Token) -> str:
    return "".join(child.content for child in heading.children or ())
