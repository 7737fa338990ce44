"""In which order several test processes take up the test files: what takes longest first, so that they end together.

The rules and the search of the bots are compiled meanwhile (`tests/compile_first.py`), so what needs them comes late.
A file that is not named here is run all the same: the order changes nothing but the time.
"""

from fnmatch import fnmatch

LONGEST = (
    "twins/test_bounds",
    "web/test_browser_people",
    "web/test_browser_access",
    "web/test_crash",
    "web/test_processes",
    "web/test_secrecy_time",
    "web/test_browser_telling",
    "web/test_browser_replay",
    "web/test_browser_header",
    "web/test_serve",
    "web/test_boxes",
    "web/test_secrecy",
    "web/test_pages",
    "web/test_workers",
    "web/test_browser_romans",
    "web/test_browser_focus",
    "web/test_browser_learn*",
    "web/test_floods",
    "web/test_romans_fit",
    "web/test_browser_nojs",
    "web/test_browser_hotseat",
    "web/test_browser_goths",
    "web/test_openapi",
    "web/test_browser_fit",
    "web/test_pictures",
    "docs/test_site",
    "test_wheel",
    "web/test_script*",
    "web/test_browser_[!h]*",
    "web/test_own_bots",
    "web/test_kept_drawings",
    "web/test_frames",
    "web/test_film",
    "web/test_drawing",
    "web/test_replay",
    "thirdgame/*",
    "test_terminal",
    "test_cli_streams",
)
NEED_COMPILED_CODE = (
    "lab/test_cluster",
    "bots/test_league*",
    "bots/test_levels",
    "docs/test_blocks",
    "web/test_browser_hints",
    "lab/test_study",
    "bots/test_pool",
    "bots/test_str*",
    "web/test_secrecy_hints",
    "web/test_analys*",
    "lab/test_solve_romans",
    "lab/test_analysis_romans",
    "bots/test_equilibrium_romans",
    "bots/test_evaluation_romans",
    "test_cli_analyse",
    "lab/test_data",
    "test_cli_data",
    "web/test_hints",
    "envs/*",
    "bots/*",
    "twins/*",
    "rules/*",
)


def rank(nodeid: str) -> tuple[int, int]:
    """Where a test comes, by the file it is in: the long ones, the others, those that need compiled code."""
    file = nodeid.partition("::")[0].removeprefix("tests/").removesuffix(".py")
    for group, patterns in ((0, LONGEST), (2, NEED_COMPILED_CODE)):
        for place, pattern in enumerate(patterns):
            if fnmatch(file, pattern):
                return group, place
    return 1, 0
