"""`python -m meadhall`."""

from meadhall.cli import main

raise SystemExit(main())
