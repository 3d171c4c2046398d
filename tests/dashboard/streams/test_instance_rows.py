from evenkeel.dashboard.streams.tiles import Instance, Thread, Tile, instance_rows, is_large


def instance(name: str, moves: int = 0, **kinds: list[str]) -> Instance:
    """Tiles of one thread by column and kind."""
    columns = {"active": [], "standby": [], "warmup": [], "stateless": []}
    tiles = {
        column: [Tile(f"0_{number}", kind, "") for number, kind in enumerate(found)]
        for column, found in kinds.items()
    }
    return Instance(name, "", moves, [Thread("t1", columns | tiles)])


def test_more_than_30_instances_or_300_tiles_are_rows():
    assert not is_large([instance("a", active=["active"] * 300)])
    assert is_large([instance("a", active=["active"] * 301)])
    assert is_large([instance(f"{number}") for number in range(31)])


def test_a_row_counts_what_rests_and_shows_what_moves():
    row = instance_rows(
        [
            instance(
                "a",
                2,
                active=["active", "moving", "left"],
                standby=["standby", "behind"],
                warmup=["waits"],
            )
        ]
    )[0]

    assert [
        (cell.total, cell.note, [tile.kind for tile in cell.tiles]) for cell in row.cells.values()
    ] == [
        ("2", "", ["moving", "left"]),
        ("2", "1 behind", []),
        ("", "", ["waits"]),
        ("", "", []),
    ]


def test_instances_with_most_moves_stand_first():
    assert [
        row.name for row in instance_rows([instance("b"), instance("a"), instance("c", 3)])
    ] == ["c", "a", "b"]
