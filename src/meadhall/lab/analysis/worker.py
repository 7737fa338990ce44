"""What a worker process is asked for an analysis: it tells how far it is, and lets everybody else go first."""

import os

from meadhall.bots.forkserver import LOW_PRIORITY, report
from meadhall.lab.analysis import analyse, written
from meadhall.match import Match
from meadhall.record import RecordData


def analysed(record: RecordData) -> str:
    """The analysis of a finished game as it is kept."""
    os.setpriority(os.PRIO_PROCESS, 0, LOW_PRIORITY)
    report(0.0)
    return written(analyse(Match.from_record(record), report))
