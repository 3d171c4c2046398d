"""Record answers of clients: `python -m tests.recorded.clients.record go PROGRAM [ARGUMENT ...]`,
likewise `javascript` and `aiokafka`.
"""

import json
import subprocess
import sys
from random import Random

from evenkeel.assignors import CLIENTS
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.document import decode
from tests.generated.client_groups import client_group, next_client_group
from tests.recorded.clients.reading import GROUPS, HERE, spelled_owners, write

_GROUPS = 600
_CHAIN = 4
_RUNS = {("franz-go", "sticky"): 25, ("franz-go", "cooperative-sticky"): 25}
_ASSIGNORS = {
    "go": {
        "franz-go": ["range", "roundrobin", "sticky", "cooperative-sticky"],
        "sarama": ["range", "roundrobin"],
        "kafka-go": ["range", "roundrobin"],
    },
    "aiokafka": {"aiokafka": ["range", "roundrobin", "sticky"]},
    "javascript": {"kafkajs": ["roundrobin"], "platformatic": ["roundrobin", "cooperative-sticky"]},
}


def groups() -> list[dict]:
    """Return the groups: half of them unrelated, the others in chains of rebalances of
    kafka-python's cooperative-sticky.
    """
    random, found = Random("other clients"), []
    while len(found) < _GROUPS:
        found += [client_group(random), *_chain(random)]
    return found[:_GROUPS]


def _chain(random: Random) -> list[dict]:
    group, chain = client_group(random), []
    for _ in range(random.randrange(_CHAIN)):
        observed = observed_from_document(decode(json.dumps(group)))
        answer = assignment_by_name(
            observed,
            CLIENTS["kafka-python"].assignors["cooperative-sticky"]().assign(observed.snapshot),
        )
        group = next_client_group(random, group, answer)
        if not group["members"]:
            break
        chain.append(group)
    return chain


def main(file: str, program: list[str]) -> None:
    """Write the groups, and the answers of one program."""
    given = groups()
    write(GROUPS, given)
    asked = [(client, assignor) for client, own in _ASSIGNORS[file].items() for assignor in own]
    lines = [
        json.dumps(
            {
                "client": client,
                "assignor": assignor,
                "runs": _RUNS.get((client, assignor), 3),
                "group": group,
            }
        )
        for client, assignor in asked
        for group in given
    ]
    answered = subprocess.run(
        program, input="\n".join(lines), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    spelled = iter(
        _spelled(group, json.loads(line))
        for group, line in zip(given * len(asked), answered, strict=True)
    )
    write(
        HERE / f"{file}.jsonl.gz",
        [[client, assignor, [next(spelled) for _ in given]] for client, assignor in asked],
    )


def _spelled(group: dict, answer: list[dict] | dict) -> str:
    """Spell all different answers, or the name of an exception."""
    if isinstance(answer, dict):
        return answer["error"] if "error" in answer else spelled_owners(group, answer["assignment"])
    return " ".join(sorted(spelled_owners(group, one) for one in answer))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
