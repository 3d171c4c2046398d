"""The short text of a draft."""

import base64
import zlib

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.application_edits.remove_processes import RemoveProcesses
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.scenario.draft import (
    EMPTY,
    Draft,
    NamedSteps,
    draft_of,
    draft_of_application,
    text_of,
    text_of_application,
    unpacked,
)
from evenkeel.data.scenarios.scenario.scenario import Step

DRAFT = Draft(
    [
        NamedSteps("A", [Step("one", [RemoveMembers(member_ids=["pay-ü"], off=True)])]),
        NamedSteps(None, [Step()]),
    ]
)


def packed(text: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize("draft", [EMPTY, DRAFT])
def test_a_draft_comes_back_from_its_text(draft):
    assert draft_of(text_of(draft)) == draft


def test_the_text_needs_no_escapes_in_an_address():
    assert set(text_of(DRAFT)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("%%%", "the text is cut or changed"),
        ("ü", "the text is cut or changed"),
        (text_of(DRAFT)[:-6], "the text is cut or changed"),
        (packed(b"[]"), "expected the steps of one to 4 scenarios"),
        (packed(b'{"scenarios":[]}'), "expected the steps of one to 4 scenarios"),
        (packed(b'{"scenarios":[{},{},{},{},{}]}'), "expected the steps of one to 4 scenarios"),
        (packed(b'{"scenarios":[{"steps":[{"edits":[{"op":"no"}]}]}]}'), "Invalid value 'no'"),
        (packed(b'{"scenarios":[{"steps":[' + b",".join([b"{}"] * 201) + b"]}]}"), "length <= 200"),
        (packed(b" " * (4 * 2**20 + 1)), "found more than 4,194,304 bytes"),
    ],
)
def test_any_other_text_is_refused_in_one_line(text, said):
    with pytest.raises(SnapshotError, match="^steps: ") as refused:
        draft_of(text)

    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


DIES = Step(edits=[RemoveProcesses(process_ids=["one"])])


@pytest.mark.parametrize(
    "draft",
    [
        Draft([NamedSteps(None, [DIES])]),
        Draft([NamedSteps("A", [DIES])]),
        Draft([NamedSteps(None, [DIES]), NamedSteps("B", [])]),
    ],
)
def test_a_draft_of_an_application_comes_back_from_its_text(draft):
    assert draft_of_application(text_of_application(draft)) == draft


def test_a_link_of_the_release_before_holds_the_steps_of_an_application_alone():
    before = packed(b'[{"edits":[{"op":"remove_processes","process_ids":["one"]}]}]')

    assert draft_of_application(before) == Draft([NamedSteps(None, [DIES])])
    assert unpacked(text_of_application(Draft([NamedSteps(None, [DIES])]))) == unpacked(before)


@pytest.mark.parametrize(
    "text", [b"{}", b'{"scenarios":[]}', b'[{"edits":[{"op":"remove_members","member_ids":[]}]}]']
)
def test_any_other_text_of_an_application_is_refused(text):
    with pytest.raises(SnapshotError, match="^steps: .*, expected the steps of an application"):
        draft_of_application(packed(text))
