"""Fine: nothing waits that is worth a word."""

from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.diagnosis.reading import Case

CODE = Code.FINE


def find(case: Case) -> Finding | None:
    """Return the finding if nothing else is primary."""
    if case.primary:
        return None
    has_owners = case.is_judged and case.member_count > 0
    return Finding(
        CODE,
        Severity.OK,
        lag=case.base,
        figures={
            "lag": case.base,
            "partitions": case.read_count,
            "most": int(case.member_lag.max()) if has_owners else None,
        },
        certainty=Certainty.LIKELY,
        settles=Settles.LATER_READING if case.is_one_reading else Settles.NOTHING,
        is_primary=True,
        assumed=("commits move without members",) if case.reads_without_members else (),
    )
