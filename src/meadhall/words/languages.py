"""The languages Meadhall speaks."""

from meadhall.faults import Fault, show

LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch", "es": "Español"}


def check_language(lang: str) -> None:
    """A Fault unless it is one of ours."""
    if lang not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise Fault(f"there are no words in the language {show(lang)}; the languages are {known}")
