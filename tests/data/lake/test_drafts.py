"""Drafts of What-if beside the lake."""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import import_folder
from evenkeel.data.lake.place import place_of


def test_a_draft_is_read_back_and_other_users_of_the_machine_cannot_read_it(tmp_path):
    draft_id = import_folder.save_draft(place_of(tmp_path), "edits")

    assert import_folder.read_draft(place_of(tmp_path), draft_id) == "edits"
    assert [
        path.stat().st_mode & 0o777
        for path in (tmp_path / "drafts", tmp_path / "drafts" / draft_id)
    ] == [0o700, 0o700]


@pytest.mark.parametrize("draft_id", ["x" * 22, "..", "../secret", "", "a/../../../../etc/pass"])
def test_an_id_of_no_draft_is_refused_in_one_sentence(tmp_path, draft_id):
    (tmp_path / "secret").write_text("not a draft")

    with pytest.raises(
        SnapshotError, match="This address has no draft: drafts are deleted after a day"
    ):
        import_folder.read_draft(place_of(tmp_path), draft_id)


def test_a_draft_is_deleted_after_a_day_and_not_before(tmp_path):
    lake, now = place_of(tmp_path), datetime.now(UTC)
    draft_id = import_folder.save_draft(lake, "edits")

    assert import_folder.delete_expired_drafts(lake, now + timedelta(hours=23)) == 0
    assert import_folder.delete_expired_drafts(lake, now + timedelta(hours=25)) == 1
    assert not (tmp_path / "drafts" / draft_id).exists()
