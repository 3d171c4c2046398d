"""The best assignment against trying everything, and certificates against their check: `python -m tests.judge.best_conformance`.

`--groups 3000`: tiny groups with all limits, of which every assignment is tried. `--certificates 100000`: groups whose certificates are
checked by code that shares nothing with the bounds.
"""

import argparse
import json
import sys
from fractions import Fraction

import numpy as np

from evenkeel.assignors.best.certificate import check
from evenkeel.data.commands.answers.best import Answer, answer
from tests.assignors.best.everything import NEVER, best_by_trying, random_request


def difference(request: dict, most: bool = True) -> str | None:
    """Return what is wrong with the answer to a request, None where nothing is; `most`: whether everything is tried."""
    found = answer(json.dumps(request).encode())
    wrong = wrong_proof(request, found)
    if wrong or not most:
        return wrong
    expected = best_by_trying(request)
    if isinstance(expected, str):
        return None if found.error and found.error.type == expected else f"expected {expected}, found the value {found.value}"
    has = (value_of(found), found.moves)
    return None if has == expected else f"expected value and moves {expected}, found {has}"


def wrong_proof(request: dict, found: Answer) -> str | None:
    """Return what its certificate does not prove."""
    if found.error:
        return None if found.error.type == "Infeasible" else found.error.message
    wrong = check(request["group"], found.certificate, found.assignment)
    if found.moves_bound > found.moves:
        wrong.append(f"{found.moves} moves are fewer than their bound {found.moves_bound}")
    return "; ".join(wrong) or None


def value_of(found: Answer) -> object:
    """Return the exact value of an answer."""
    pair = found.certificate["value"]
    return NEVER if pair is None else Fraction(*pair)


def main() -> int:
    """Print one line a part; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=3_000)
    parser.add_argument("--certificates", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    parts = (("tried", options.groups, (7, 4), True), ("certificates", options.certificates, (12, 4), False))
    failed = False
    for part, number, sizes, is_tried in parts:
        wrong = 0
        for place in range(number):
            request = random_request(np.random.default_rng([options.seed, len(part), place]), *sizes)
            said = difference(request, is_tried)
            if said:
                wrong, failed = wrong + 1, True
                print(f"  {said}: {json.dumps(request)}", flush=True)
        print(f"{part}: {number - wrong:,} of {number:,} hold", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
