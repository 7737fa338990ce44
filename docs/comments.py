"""For the reference: a comment beside a field says what it is, as a docstring would."""

import re
from typing import Any

import griffe

COMMENT = re.compile(r"\s{2}# (?!type:|noqa)(.+)$")


class Comments(griffe.Extension):
    """Takes the comment at the end of a field's line for its docstring, if it has none."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Look at a field that has just been read."""
        if attr.docstring is None and isinstance(attr.parent, griffe.Class) and attr.lineno is not None:
            found = COMMENT.search(attr.lines_collection[attr.filepath][(attr.endlineno or attr.lineno) - 1])
            if found:
                said = found[1][0].upper() + found[1][1:] + ("" if found[1].endswith((".", "?")) else ".")
                attr.docstring = griffe.Docstring(said, lineno=attr.lineno, parent=attr)
