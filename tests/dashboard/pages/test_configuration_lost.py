"""Every page while the configuration file is broken or gone: one sentence, and the same page again
once it is mended.
"""

import pytest

LISTING = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nwatched"
    " orders 0 1 3 2 a-1 /h a\n"
)


@pytest.fixture
def file(tmp_path_factory, monkeypatch):
    path = tmp_path_factory.mktemp("configuration") / "evenkeel.toml"
    path.write_text("")
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    return path


@pytest.mark.parametrize("name", ["start", "groups", "compare", "moves"])
def test_a_page_without_its_configuration_is_one_sentence(page, file, name):
    file.unlink()

    page.open(name)

    assert (page.errors, len(page.app.exception)) == (
        [f"EVENKEEL_CONFIG={file}: No such file or directory"],
        0,
    )


def test_a_link_that_was_opened_while_the_configuration_was_broken_leads_to_its_group_afterwards(
    page, file
):
    batch = page.paste(LISTING).open("compare").address["opened"]
    file.write_text("[clusters")

    tab = page.anew().open("compare", opened=batch)
    said, address = tab.errors, tab.address["opened"]
    file.write_text("")
    tab.app.run()

    assert (len(said), "not TOML" in said[0], address) == (1, True, batch)
    assert (tab.errors, tab.scope) == ([], "watched")
