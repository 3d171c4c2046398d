"""A listing of many groups: what travels to the browser does not grow with them."""

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
_MOST_BYTES = 20_000


def _listing(count):
    return HEADER + "".join(
        f"group-{number:05} orders {number} 0 {number} {number} a-{number} /10.0.0.1 a\n"
        for number in range(0, 3 * count, 3)
    )


def _bytes(page):
    """Bytes of everything that the page sends, but for scripts and style sheets, which are the same
    for any number of groups.
    """
    protos = [
        element.proto
        for element in page.app.main
        if getattr(element, "proto", None) and element.type != "html"
    ]
    code = sum(
        len(getattr(proto, name, "")) for proto in protos for name in ("js_content", "css_content")
    )
    return sum(proto.ByteSize() for proto in protos) - code


def test_one_page_of_the_groups_travels_and_a_search_finds_each(page):
    page.paste(_listing(500))
    page.until(lambda: "Looking at" not in page.counts)
    sent, shown, counts = _bytes(page), list(page.groups), page.counts

    page.app.text_input(key="groups-search").set_value("00006").run()
    page.app.session_state["groups-picked"] = page.component("rows")["rows"][0]["id"]
    page.app.run()

    # Up to 1,000 records of a member are fine.
    assert counts == "166 need a later reading, 334 are fine"
    assert shown == [f"group-{number:05}" for number in range(999, 966, -3)]
    assert sent < _MOST_BYTES
    assert page.open("compare").scope == "group-00006"


def test_a_search_finds_groups_by_topic_member_client_and_host(page):
    owners = ["payments-1a2b /10.0.7.1 payments", "billing-3c4d /10.0.7.2 billing", "- - -"]
    page.paste(
        HEADER
        + "".join(
            f"group-{number} topic-{number} 0 0 5 5 {owner}\n"
            for number, owner in enumerate(owners)
        )
    )
    found = []

    for text in ("topic-2", "1a2b", "10.0.7.2", "BILLING", "shipping"):
        page.app.text_input(key="groups-search").set_value(text).run()
        found.append([*page.findings, *page.groups])

    assert found == [["group-2"], ["group-0"], ["group-1"], ["group-1"], []]
    assert "or in the name of a topic, member" in page.component("rows")["none"]
