"""A value of the configuration is in no message: it may be a secret that stands in the
wrong place.
"""

import traceback
from pathlib import Path

import pytest

from evenkeel.data.configuration.clusters import profiles
from evenkeel.data.configuration.file import configuration_of
from evenkeel.data.configuration.handover import secrets_of, without_secrets
from evenkeel.data.configuration.reading import configuration
from evenkeel.data.errors import SnapshotError
from tests.data.configuration.wrong import CANARY, NUMBER, texts, wrong


def _settled(tables):
    """Do with a configuration what commands and pages do before they ask a cluster or a lake."""
    chosen = configuration_of(tables, Path("evenkeel.toml"))
    for profile in profiles(chosen.clusters).values():
        profile.librdkafka({})
        profile.kafka_python({})


def _refusal(action, *arguments):
    """Return the message of an error and its trace with the errors behind it, None where there is
    none; another error than ours fails.
    """
    try:
        action(*arguments)
    except SnapshotError as error:
        return f"{error}\n{''.join(traceback.format_exception(error))}"
    return None


def test_no_message_about_a_wrong_setting_holds_its_value():
    cases = list(wrong())

    refusals = [(one.setting, _refusal(_settled, one.tables)) for one in cases]

    assert [
        (setting, said)
        for setting, said in refusals
        if said and (CANARY in said or str(NUMBER)[:-1] in said)
    ] == []
    assert len([said for _, said in refusals if said]) > len(cases) / 2


def test_a_message_names_the_setting_the_type_that_was_found_and_the_expected_one():
    said = _refusal(_settled, {"lake": {"secret_key": 7}})

    assert said.startswith(
        'evenkeel.toml: lake.secret_key is a whole number, expected a string, {env = "NAME"} or'
        ' {file = "path"}\n'
    )


@pytest.mark.parametrize("name", ["cookie_secret", "providers.ours.client_secret"])
@pytest.mark.parametrize("value", [["x"], 7, {"x": "y"}])
def test_a_reference_to_a_wrong_kind_is_refused_by_its_place(name, value):
    tables = next(each.tables for each in wrong() if each.setting == f"login.{name}")
    *above, key = name.split(".")
    table = tables["login"]
    for part in above:
        table = table[part]
    table[key] = {"env": value}

    said = _refusal(_settled, tables)

    assert said.startswith(
        f'evenkeel.toml: login.{name} is a table, expected {{env = "NAME"}} or {{file = "path"}}\n'
    )


@pytest.mark.parametrize("text", texts(), ids=lambda one: one.setting)
def test_a_file_that_is_no_toml_is_refused_without_what_it_says(text, tmp_path):
    (tmp_path / "evenkeel.toml").write_text(text.tables, errors="surrogateescape")

    said = _refusal(configuration, {"EVENKEEL_CONFIG": str(tmp_path / "evenkeel.toml")})

    assert said.startswith(f"{tmp_path}/evenkeel.toml: not TOML: ")
    assert CANARY not in said


def test_a_lake_that_the_environment_names_wrongly_is_refused_without_its_text(tmp_path):
    said = [
        _refusal(configuration_of, {}, Path("evenkeel.toml"), f"{scheme}://u:{CANARY}@bucket/x")
        for scheme in ("s3", "ftp")
    ]

    assert all("EVENKEEL_LAKE" in each and CANARY not in each for each in said)


def test_a_child_process_gets_the_environment_without_variables_that_hold_secrets(tmp_path):
    (tmp_path / "evenkeel.toml").write_text(
        '[lake]\nsecret_key = {env = "OURS"}\n[clusters.c]\n"sasl.password" = {env = "KAFKA"}\n'
    )
    secret = {
        "OURS": "1",
        "KAFKA": "2",
        "AWS_SECRET_ACCESS_KEY": "3",
        "GH_TOKEN": "4",
        "DB_PASSWORD": "5",
    }
    plain = {
        "EVENKEEL_CONFIG": str(tmp_path / "evenkeel.toml"),
        "PATH": "/bin",
        "PYSPARK_GATEWAY_SECRET": "6",
        "HADOOP_TOKEN_FILE_LOCATION": "7",
    }
    environment = secret | plain | {"EVENKEEL_DATABASE_URL": "8"}

    assert (without_secrets(environment), secrets_of(environment)) == (plain, secret)
