"""Does anybody wait for a choice? At a table somebody does, so a level chooses as well as it can before it is ready.

Workers of a cluster have nobody waiting: there a level gets ready first, however long that takes, and plays the same.
"""

_patient = _hurried = False


def be_patient() -> None:
    """From now on nobody waits for a choice in this process."""
    global _patient
    _patient = True


def patient() -> bool:
    """Should a level get ready before it chooses?"""
    return _patient


def be_hurried() -> None:
    """From now on somebody at a table waits for every choice of this process."""
    global _hurried
    _hurried = True


def hurried() -> bool:
    """Must a level choose without what takes long to get ready?"""
    return _hurried and not _patient
