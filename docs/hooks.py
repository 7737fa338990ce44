"""What MkDocs does on the way from our Markdown to the site: pages from outside this folder, links to them, clauses.

The Markdown reads well by itself, links and all. So links point to files as they lie in the checkout, and are turned
here to where those files are in the site.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
# Files that lie elsewhere in the checkout, each with its place in the site.
OUTSIDE = {
    "rulebook/en/goths.md": "rulebook/goths.md",
    "rulebook/en/romans.md": "rulebook/romans.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    **{str(file): str(file) for file in sorted(path.relative_to(ROOT) for path in ROOT.glob("examples/**/*.py"))},
}
PLACES = {place: file for file, place in OUTSIDE.items()}
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)")
FENCE = re.compile(r"^( *```\w+) +(?!title=).*$", re.MULTILINE)
SESSION = re.compile(r"^```python$(?=\n>>> )", re.MULTILINE)
CLAUSE = re.compile(r"^- \*\*([GR]\d+\.\d+)\*\*", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files from outside."""
    for file, place in OUTSIDE.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / file)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links to where things are in the site; what the tests read behind a block's language is not for readers."""
    place = page.file.src_uri
    lies = PLACES.get(place, f"docs/{place}")
    here = posixpath.dirname(place)

    def turned(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(lies), link[1]))
        there = OUTSIDE.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        return link[1] if there is None else posixpath.relpath(there, here or ".")

    text = SESSION.sub("```pycon", FENCE.sub(r"\1", LINK.sub(turned, markdown)))
    text = CLAUSE.sub(r"\n- **\1**{ #\1 }", text) if place.startswith("rulebook/") else text
    return indented(text) if place in PLACES else text


def indented(markdown: str) -> str:
    """The same with lists inside lists as far to the right as MkDocs wants them, which is twice as far as we write."""
    parts = re.split(r"^(```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if k % 2 else re.sub(r"^ +", r"\g<0>\g<0>", part, flags=re.MULTILINE) for k, part in enumerate(parts)
    )
