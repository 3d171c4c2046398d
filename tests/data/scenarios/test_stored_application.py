import json

from data.columns import GroupKey
from data.document import decode, decode_application
from data.lake.place import place_of
from data.scenarios.group_as_upload import stored
from data.scenarios.stored_application import stored_application, stored_applications
from data.scenarios.stored_group import StoredGroup
from tests.generated.small_applications import EXAMPLE_APPLICATION
from tests.generated.small_documents import EXAMPLE


def test_a_stored_application_comes_back_as_the_same_streams_document(tmp_path):
    lake, application = place_of(tmp_path), decode_application(json.dumps(EXAMPLE_APPLICATION))

    batch = stored(application, "wordcount.json", lake)

    assert stored_applications(lake, batch) == [GroupKey("wordcount")]
    assert stored_application(StoredGroup(lake, batch, "wordcount", None, 1 << 30)) == application


def test_a_batch_of_other_groups_has_no_applications(tmp_path):
    lake = place_of(tmp_path)

    batch = stored(decode(json.dumps(EXAMPLE)), "payments.json", lake)

    assert stored_applications(lake, batch) == []
    assert stored_application(StoredGroup(lake, batch, "payments", None, 1 << 30)) is None
