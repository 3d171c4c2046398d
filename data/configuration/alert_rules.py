"""Alert rules: which findings of which groups are sent, when, and to which address."""

import json
from typing import Annotated, Literal

import msgspec

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.settings import OVER_TIME
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.configuration.findings import FindingSettings, Slots
from evenkeel.data.configuration.rights import matches
from evenkeel.data.errors import SnapshotError

Form = Literal["slack", "teams", "json", "alertmanager"]

_SEVERITIES = ("info", "warning", "critical")
_Name = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$",
        description="a name of 1 to 40 letters, digits, spaces, '.', '_' and '-'",
    ),
]


class Webhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The receiver of a rule's messages.

    Parameters
    ----------
    url : dict
        A reference to a variable or a file that contains the address. The address is a secret.
    local : bool
        Whether the address may belong to this machine or be link-local.
    """

    url: dict[str, str]
    form: Form = "json"
    local: bool = False


class AlertRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table `[[alerts]]` of the file.

    Parameters
    ----------
    findings : tuple of str
        Severities and codes.
    groups : tuple of str
        Globs of CLUSTER/GROUP; a glob after `!` excludes its groups.
    patience : Duration or None
        Time from the start of a finding to its first message; the key is `for`. If None, the code
        of the finding decides.
    resolve_after : int or None
        A finding ends after this number of consecutive slots without the problem.
    repeat : str
        Time after which an open finding is sent again.
    owner : str or None
        Login of a person: messages cover only groups that this person may see. If None, messages
        cover all groups of the configured clusters.
    """

    name: _Name
    findings: tuple[str, ...] = ("critical",)
    groups: tuple[str, ...] = ("*",)
    patience: Duration | None = msgspec.field(name="for", default=None)
    resolve_after: Slots | None = None
    webhook: Webhook | None = None
    repeat: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^(?:never|\d{1,6}\s*[smhd])$",
            description='"never", or a number and s, m, h or d, such as "4h"',
        ),
    ] = "never"
    owner: str | None = None

    @property
    def repeat_seconds(self) -> float | None:
        """Seconds until an open finding is sent again; None if it is never sent again."""
        return None if self.repeat == "never" else Duration.parse(self.repeat).total_seconds()

    def takes(self, cluster: str | None, group: str) -> bool:
        """Return whether the rule covers a group."""
        name = f"{cluster or ''}/{group}"
        wanted = tuple(each for each in self.groups if not each.startswith("!"))
        left_out = tuple(each[1:] for each in self.groups if each.startswith("!"))
        return matches(wanted, name) and not matches(left_out, name)

    def asks_for(self, code: Code, severity: Severity) -> bool:
        """Return whether the rule covers a finding."""
        return code.value in self.findings or severity.word in self.findings

    def settings(self, findings: FindingSettings) -> FindingSettings:
        """Return `findings`, with `for` and `resolve_after` replaced if the rule sets them."""
        patience = findings.patience
        if self.patience is not None:
            patience = dict.fromkeys(OVER_TIME, self.patience)
        return msgspec.structs.replace(
            findings,
            patience=patience,
            resolve_after=self.resolve_after or findings.resolve_after,
        )


def toml_of(rule: AlertRule) -> str:
    """Return a rule as a table of `evenkeel.toml`.

    If the rule has no receiver, the table contains an example of a receiver.
    """
    webhook = rule.webhook or Webhook({"env": "HOOK"}, "slack")
    (kind, place), *_ = webhook.url.items()
    lines = [
        "[[alerts]]",
        f"name = {_text(rule.name)}",
        f"findings = [{', '.join(map(_text, rule.findings))}]",
        f"groups = [{', '.join(map(_text, rule.groups))}]",
    ]
    if rule.patience is not None:
        lines.append(f'for = "{rule.patience.total_seconds():g}s"')
    if rule.resolve_after is not None:
        lines.append(f"resolve_after = {rule.resolve_after}")
    if rule.repeat != "never":
        lines.append(f"repeat = {_text(rule.repeat)}")
    if rule.owner is not None:
        lines.append(f"owner = {_text(rule.owner)}")
    local = ", local = true" * webhook.local
    url = f"{{{kind} = {_text(place)}}}"
    lines.append(f"webhook = {{url = {url}, form = {_text(webhook.form)}{local}}}")
    return "\n".join(lines)


def _text(value: str) -> str:
    """Return `value` as a quoted TOML string."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def checked_rules(rules: tuple[AlertRule, ...]) -> tuple[AlertRule, ...]:
    """Check the rules and return them unchanged.

    Raises
    ------
    SnapshotError
        If two rules have the same name, or a severity or code is unknown.
    """
    known = (*_SEVERITIES, *OVER_TIME)
    names: set[str] = set()
    for number, rule in enumerate(rules):
        place = f"alerts[{number}]"
        if rule.name in names:
            raise SnapshotError(f'{place}.name is "{rule.name}", the name of an earlier rule')
        names.add(rule.name)
        for each in rule.findings:
            if each not in known:
                raise SnapshotError(f'{place}.findings has "{each}", expected {", ".join(known)}')
    return rules
