"""Contact sheets: all pictures small on one page, and those of each state large on a page of their own."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from tests.shots.boxes import Finding
from tests.shots.camera import View

STYLE = """
body { margin: 16px; font: 14px/1.4 sans-serif; background: #ddd; color: #222 }
h2 { margin: 24px 0 8px } a { color: inherit }
div { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 12px }
figure { margin: 0 } figcaption { font-size: 12px } figcaption b { color: #a00 }
.small img { height: 200px } .large img { max-width: 100% }
img { display: block; background: #fff; border: 1px solid #999 }
"""
Found = Mapping[View, Sequence[Finding]]


def write(folder: Path, states: Mapping[str, Found]) -> None:
    """A page for each state, and one for all of them."""
    for name, found in states.items():
        large = "".join(_figure(name, view, found[view], f"{name}/{view.name}.png") for view in found)
        (folder / f"{name}.html").write_text(_page(name, f'<div class="large">{large}</div>'))
    parts = []
    for name, found in states.items():
        small = "".join(_figure(name, view, found[view], f"{name}.html#{view.name}") for view in found)
        parts.append(f'<h2><a href="{name}.html">{name}</a></h2><div class="small">{small}</div>')
    (folder / "index.html").write_text(_page("All states", "".join(parts)))


def _figure(state: str, view: View, found: Sequence[Finding], link: str) -> str:
    source = f"{state}/{view.name}.png"
    told = "".join(f"<br><b>{escape(str(each))}</b>" for each in found if not each.soft)
    return (
        f'<figure id="{view.name}"><a href="{link}"><img src="{source}" loading="lazy" alt="{view.name}"></a>'
        f"<figcaption>{view.name}{told}</figcaption></figure>"
    )


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"<h1>{title}</h1>{body}</html>"
    )
