from evenkeel.dashboard.shell.input_words import task_assumptions


def test_assumptions_of_one_kind_share_a_sentence():
    assert task_assumptions(["tasks[0].stateful", "tasks[7].stateful", "identity hashes"]) == [
        "whether 2 tasks have a changelog",
        "Kafka's own answer changes from run to run here: this is one possible answer",
    ]


def test_a_star_is_all_of_them():
    assert task_assumptions(
        ["tasks[*].stateful", "processes[*].consumers[*].task_offset_sums"]
    ) == [
        "whether all tasks have a changelog",
        "offsets of state in all threads: only the threads know the present offsets",
    ]


def test_an_unknown_path_is_shown_as_it_is():
    assert task_assumptions(["processes[0].host"]) == ["processes.host"]
