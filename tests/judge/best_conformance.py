"""The best assignment against trying everything, and certificates against their check: `python -m
tests.judge.best_conformance`.

`--groups 3000`: tiny groups with all limits, of which every assignment is tried. `--certificates
100000`: groups whose certificates are checked by code that shares nothing with the bounds; most
have up to 12 partitions and 4 members, some up to 1,000 and 40. `--processes`: each has a share of
the groups.
"""

import argparse
import json
import multiprocessing
import os
import sys
from fractions import Fraction
from functools import partial

import numpy as np

from evenkeel.assignors.best.certificate_check import check
from evenkeel.data.best.answer import Answer, answer
from tests.assignors.best.everything import NEVER, best_by_trying, random_request


def difference(request: dict, most: bool = True) -> str | None:
    """Return what is wrong with the answer to a request, None where nothing is; `most`: whether
    everything is tried.
    """
    found = answer(json.dumps(request).encode())
    wrong = wrong_proof(request, found)
    if wrong or not most:
        return wrong
    expected = best_by_trying(request)
    if isinstance(expected, str):
        return (
            None
            if found.error and found.error.type == expected
            else f"expected {expected}, found the value {found.value}"
        )
    has = (value_of(found), found.moves)
    return None if has == expected else f"expected value and moves {expected}, found {has}"


def wrong_proof(request: dict, found: Answer) -> str | None:
    """Return what its certificate does not prove."""
    if found.error:
        return None if found.error.type == "Infeasible" else found.error.message
    certificate = found.certificate
    wrong = check(request["group"], certificate, found.assignment)
    bound, value = _exact(certificate["bound"]), value_of(found)
    if bound != max(_exact(one["value"]) for one in certificate["bounds"]):
        wrong.append("the bound is not the largest of all")
    if found.proved and (found.unknown or (bound != value and value - bound > value / 10**6)):
        wrong.append(f"proved, with the bound {bound} and {found.unknown} unknown loads")
    if found.moves_bound > found.moves:
        wrong.append(f"{found.moves} moves are fewer than their bound {found.moves_bound}")
    return "; ".join(wrong) or None


def value_of(found: Answer) -> object:
    """Return the exact value of an answer."""
    return _exact(found.certificate["value"])


def _exact(pair: list[int] | None) -> object:
    return NEVER if pair is None else Fraction(*pair)


SIZES = ((12, 4, 0.95), (40, 6, 0.038), (100, 8, 0.009), (300, 12, 0.002), (1_000, 40, 0.001))
"""Most partitions, most members, and the part of the certificates that are of such groups: together
they take minutes.
"""


def main() -> int:
    """Print one line a part; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=3_000)
    parser.add_argument("--certificates", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    parts = (("tried", options.groups, tried), ("certificates", options.certificates, certified))
    failed = False
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for part, number, judge in parts:
            wrong = 0
            for said in pool.imap(partial(judge, options.seed), range(number), chunksize=50):
                if said:
                    wrong, failed = wrong + 1, True
                    print(f"  {said}", flush=True)
            print(f"{part}: {number - wrong:,} of {number:,} hold", flush=True)
    return int(failed)


def tried(seed: int, place: int) -> str | None:
    """Return what is wrong with the answer to a tiny request, compared with all assignments, and
    the request; None where nothing is.
    """
    return _judged(random_request(np.random.default_rng([seed, len("tried"), place]), 7, 4), True)


def certified(seed: int, place: int) -> str | None:
    """Return the same of a request of any size, of which the certificate is checked."""
    rng = np.random.default_rng([seed, len("certificates"), place])
    partitions, members, _ = SIZES[rng.choice(len(SIZES), p=[part for *_, part in SIZES])]
    return _judged(random_request(rng, partitions, members), False)


def _judged(request: dict, most: bool) -> str | None:
    said = difference(request, most)
    return said and f"{said}: {json.dumps(request)}"


if __name__ == "__main__":
    sys.exit(main())
