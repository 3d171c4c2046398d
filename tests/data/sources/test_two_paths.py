from hypothesis import given, settings

from data.sources import listing
from data.sources.context import Context
from tests.data.sources.exact import exactly, same
from tests.data.sources.listings import texts


@settings(max_examples=80, deadline=None)
@given(texts())
def test_whole_columns_and_line_by_line_give_the_same_tables_and_counts(data):
    context = Context(first_line=5, group_id="given", cluster="eu")

    parsed = listing.parse(data, "f", context)

    assert same(parsed, exactly(data, "f", context))
    assert parsed.line_count == parsed.row_count + parsed.note_count + parsed.rejected.num_rows
