import pytest
from hypothesis import given, settings

from evenkeel.data.sources.console import listing
from evenkeel.data.sources.source import Context
from tests.data.sources.console.exact_path import exactly, same
from tests.generated.listings import ODD_NUMBERS, texts


@settings(max_examples=80, deadline=None)
@given(texts())
def test_whole_columns_and_line_by_line_give_the_same_tables_and_counts(data):
    context = Context(first_line=5, group_id="given", cluster="eu")

    parsed = listing.parse(data, "f", context)

    assert same(parsed, exactly(data, "f", context))
    assert parsed.line_count == parsed.row_count + parsed.note_count + parsed.rejected.num_rows


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_an_odd_number_in_any_column_means_the_same_on_both_paths(number, place):
    numbers = ["0", "1", "5", "7", "2"]
    numbers[place] = number
    header = (
        "GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST"
        " CLIENT-ID"
    )
    data = f"{header}\ng t {' '.join(numbers)} m-1 /10.0.0.1 m\n".encode()

    assert same(listing.parse(data, "f"), exactly(data, "f"))
