"""Settings: which of several places wins, what is refused and in which words, and that secrets stay masked."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from annotated_types import Ge, Gt, Le
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import SecretBytes, SecretStr, ValidationError

from whitehall.settings import Settings
from whitehall.settings.layers import SettingsError

SECRET = "correct-horse-battery-staple"


def load(environ: dict[str, str] | None = None, /, file: Path | None = None, **overrides: object) -> Settings:
    return Settings.load(overrides, environ or {}, file)


def refusal(environ: dict[str, str] | None = None, /, file: Path | None = None, **overrides: object) -> str:
    with pytest.raises(SettingsError) as caught:
        load(environ, file, **overrides)
    shown_with_it = caught.value.__cause__ or (None if caught.value.__suppress_context__ else caught.value.__context__)
    assert shown_with_it is None, "the original error may tell a secret"
    return str(caught.value)


def origin_of(settings: Settings, name: str) -> str:
    (origin,) = [source.origin for source in settings.sources() if source.name == name]
    return origin


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "whitehall.toml"
    path.write_text('max_streams = 300\nmax_concurrent_calls = 30\nlog_level = "error"\n')
    return path


def test_without_any_setting_the_service_listens_on_this_machine_only() -> None:
    settings = load()
    assert settings.grpc_address == "127.0.0.1:50051"
    assert settings.http_address == "127.0.0.1:8080"
    assert settings.admin_address == "127.0.0.1:9090"
    assert (settings.active_ttl_days, settings.ended_ttl_days) == (30, 7)
    assert settings.redis_url is None
    assert {source.origin for source in settings.sources()} == {"default"}


def test_flags_go_before_environment_before_file_before_defaults(file: Path) -> None:
    settings = load({"WHITEHALL_MAX_STREAMS": "200", "WHITEHALL_MAX_CONCURRENT_CALLS": "20"}, file, max_streams=150)
    assert (settings.max_streams, origin_of(settings, "max_streams")) == (150, "flag")
    assert (settings.max_concurrent_calls, origin_of(settings, "max_concurrent_calls")) == (20, "environment")
    assert (settings.log_level, origin_of(settings, "log_level")) == ("error", str(file))
    assert (settings.store_pool, origin_of(settings, "store_pool")) == (32, "default")


def test_the_environment_may_name_the_file_and_a_flag_names_another(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("max_streams = 400\n")
    environ = {"WHITEHALL_CONFIG": str(file)}
    assert load(environ).max_streams == 300
    assert load(environ, other).max_streams == 400


def test_a_flag_that_was_not_given_and_an_empty_variable_count_for_nothing(file: Path) -> None:
    settings = load({"WHITEHALL_MAX_STREAMS": "", "WHITEHALL_REDIS_URL": ""}, file, max_streams=None)
    assert (settings.max_streams, settings.redis_url) == (300, None)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        (
            {"WHITEHALL_GRPC_ADRESS": "[::1]:1"},
            "WHITEHALL_GRPC_ADRESS is no setting; did you mean WHITEHALL_GRPC_ADDRESS?",
        ),
        ({"WHITEHALL_grpc_address": "[::1]:1"}, "WHITEHALL_grpc_address is no setting"),
        (
            {"WHITEHALL_CAKE": "1"},
            "WHITEHALL_CAKE is no setting; the settings are grpc_address, http_address, admin_address, ",
        ),
        ({"WHITEHALL_GRPC_PORT": "50051"}, "WHITEHALL_GRPC_PORT is no setting"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_name(environ: dict[str, str], message: str) -> None:
    assert message in refusal(environ)


def test_unknown_flags_and_keys_of_the_file_are_refused_with_the_nearest_name(tmp_path: Path) -> None:
    assert refusal(max_stream=1) == "--max-stream is no setting; did you mean --max-streams?"
    path = tmp_path / "whitehall.toml"
    path.write_text("[store]\nredis = 1\n")
    assert refusal(file=path).startswith(f"store in {path} is no setting; did you mean ")


def test_variables_that_an_orchestrator_makes_for_a_service_of_our_name_are_no_settings() -> None:
    """A pod beside a Kubernetes service called `whitehall` or `whitehall-admin` gets these, whether it wants or not."""
    load(
        {
            "WHITEHALL_SERVICE_HOST": "10.0.0.1",
            "WHITEHALL_SERVICE_PORT": "50051",
            "WHITEHALL_SERVICE_PORT_GRPC": "50051",
            "WHITEHALL_PORT": "tcp://10.0.0.1:50051",
            "WHITEHALL_PORT_50051_TCP": "tcp://10.0.0.1:50051",
            "WHITEHALL_PORT_50051_TCP_PROTO": "tcp",
            "WHITEHALL_PORT_50051_TCP_PORT": "50051",
            "WHITEHALL_PORT_50051_TCP_ADDR": "10.0.0.1",
            "WHITEHALL_ADMIN_SERVICE_HOST": "10.0.0.2",
            "WHITEHALL_ADMIN_PORT": "tcp://10.0.0.2:9090",
        }
    )


def test_every_fault_is_told_at_once_and_where_its_setting_was_made(file: Path) -> None:
    file.write_text('log_format = "xml"\n')
    lines = refusal({"WHITEHALL_MAX_STREAMS": "many"}, file, stream_minutes=0).splitlines()
    assert sorted(lines) == [
        "--stream-minutes has to be greater than 0",
        "WHITEHALL_MAX_STREAMS has to be a valid integer, unable to parse string as an integer",
        f"log_format in {file} has to be 'auto', 'json' or 'pretty'",
    ]


def test_a_file_that_is_missing_or_no_toml_is_named(tmp_path: Path) -> None:
    assert refusal(file=tmp_path / "none.toml") == f"{tmp_path}/none.toml can't be read: No such file or directory"
    broken = tmp_path / "broken.toml"
    broken.write_text("max_streams = 1\nlog_level = warning\n")
    assert refusal(file=broken) == f"{broken} is not valid TOML (at line 2, column 13)"
    broken.write_bytes(b"\xff\xfe")
    assert refusal(file=broken) == f"{broken} is no UTF-8 text"
    assert refusal(file=Path("/dev/zero")) == "/dev/zero is larger than 1048576 bytes"


@pytest.mark.parametrize("address", ["127.0.0.1:0", "127.8.8.8:65535", "localhost:50051", "[::1]:50051"])
def test_an_address_on_this_machine_needs_no_operator_key(address: str) -> None:
    assert load(grpc_address=address).grpc_address == address


@pytest.mark.parametrize(
    "address", ["0.0.0.0:50051", "[::]:50051", "192.168.1.7:1", "whitehall.example:1", "[fe80::1]:1"]
)
def test_any_other_address_needs_operator_keys_or_the_word_open(address: str) -> None:
    told = refusal(grpc_address=address)
    assert "grpc_address" in told
    assert "operator_keys" in told
    assert "open" in told
    assert load(grpc_address=address, open=True).grpc_address == address
    assert load(grpc_address=address, operator_keys=f"main:{SECRET}").grpc_address == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "50051",
        ":50051",
        "127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:65536",
        "::1:1",
        "[::1]",
        "[x]:1",
        "a b:1",
        "unix:/tmp/s",
        "http://h:1",
    ],
)
@pytest.mark.parametrize("name", ["grpc_address", "admin_address"])
def test_what_is_no_host_and_port_is_refused(name: str, address: str) -> None:
    assert refusal({}, None, **{name: address}).startswith(f"--{name.replace('_', '-')} has ")


def test_operator_keys_are_parted_by_commas_in_a_variable_and_listed_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "whitehall.toml"
    path.write_text(f'operator_keys = ["old:{SECRET}1", "new:{SECRET}2"]\n')
    from_file = load(file=path).operator_keys
    from_environment = load({"WHITEHALL_OPERATOR_KEYS": f"old:{SECRET}1, new:{SECRET}2"}).operator_keys
    assert from_file == from_environment
    assert [(key.id, key.secret.get_secret_value()) for key in from_file] == [
        ("old", f"{SECRET}1"),
        ("new", f"{SECRET}2"),
    ]


@pytest.mark.parametrize(
    "key", ["main", "main:short", f":{SECRET}", f"a_b:{SECRET}", f"main:{SECRET} x", f"main:{SECRET}é"]
)
def test_an_operator_key_that_could_not_travel_in_a_token_is_refused_without_being_told(key: str) -> None:
    told = refusal({"WHITEHALL_OPERATOR_KEYS": f"good:{SECRET},{key}"})
    assert told.startswith("WHITEHALL_OPERATOR_KEYS, entry 2, has to be id:secret")
    assert key not in told
    assert SECRET not in told


def test_a_certificate_and_its_key_come_together_and_clients_need_both() -> None:
    together = "tls_certificate and tls_key are set together"
    assert together in refusal(tls_certificate="some.pem")
    assert together in refusal(tls_key="some.pem")
    assert "tls_client_ca needs tls_certificate and tls_key" in refusal(tls_client_ca="some.pem")
    assert load(tls_certificate="some.pem", tls_key="other.pem", tls_client_ca="ca.pem").tls_client_ca is not None


@pytest.mark.parametrize("origin", ["*", "https://play.example", "http://localhost:3000", "capacitor://localhost"])
def test_an_origin_is_written_as_browsers_write_it(origin: str) -> None:
    assert load({"WHITEHALL_CORS_ORIGINS": f"http://a.example,{origin}"}).cors_origins == ("http://a.example", origin)


@pytest.mark.parametrize(
    "origin", ["play.example", "https://play.example/", "https://Play.example", "null", "https://"]
)
def test_what_no_browser_sends_as_an_origin_is_refused(origin: str) -> None:
    told = refusal(cors_origins=["http://a.example", origin])
    assert told.startswith("--cors-origins, entry 2, has to be * or scheme://host")


def test_http_beyond_this_machine_asks_for_operator_keys_as_grpc_does() -> None:
    told = refusal(http_address="0.0.0.0:8080")
    assert "http_address can be reached from other machines" in told
    assert load(http_address="0.0.0.0:8080", open=True).http_address == "0.0.0.0:8080"


def test_two_operator_keys_with_one_id_are_refused() -> None:
    told = refusal(operator_keys=[f"main:{SECRET}1", f"main:{SECRET}2"])
    assert "--operator-keys has two keys with the id main" in told


@given(st.lists(st.binary(min_size=32, max_size=80), min_size=1, max_size=3))
def test_token_keys_may_be_written_in_hexadecimal_or_either_base64(keys: list[bytes]) -> None:
    for write in (
        bytes.hex,
        lambda key: base64.b64encode(key).decode(),
        lambda key: base64.urlsafe_b64encode(key).decode().rstrip("="),
    ):
        written = [write(key) for key in keys]
        # Base64 that happens to be all hexadecimal digits is read as such; of a random key that is not to be feared.
        assume(write is bytes.hex or not any(re.fullmatch("[0-9A-Fa-f]+", text) for text in written))
        settings = load({"WHITEHALL_TOKEN_KEYS": ",".join(written)})
        assert [key.get_secret_value() for key in settings.token_keys] == keys


@pytest.mark.parametrize("key", ["00" * 31, "0" * 65, "a" * 42, "!" * 64, "é" * 64])
def test_a_token_key_that_is_too_short_or_unreadable_is_refused(key: str) -> None:
    told = refusal({"WHITEHALL_TOKEN_KEYS": key})
    assert told == "WHITEHALL_TOKEN_KEYS, entry 1, has to be hexadecimal or Base64 of 32 bytes or more"


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost:6379/0",
        "redis://localhost/",
        "redis://:p%40ss@h",
        "redis://[::1]:6379/15",
        "rediss://user:pass@h:1/2",
        "rediss://h?ssl_ca_certs=/etc/ca.pem&ssl_check_hostname=false",
        "unix:///run/valkey.sock?db=1",
        "unix://user:pass@/run/valkey.sock",
        "redis+cluster://h:1,[::1]:2",
        "rediss+cluster://me:pass-word@h:1/0?ssl_ca_certs=/ca",
    ],
)
def test_the_urls_that_the_store_understands_are_taken(url: str) -> None:
    taken = load({"WHITEHALL_REDIS_URL": url}).redis_url
    assert taken is not None
    assert taken.get_secret_value() == url


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://:pass-word@h",
        "redis://",
        "redis://:pass-word@h:x",
        "redis+cluster://:pass-word@h",
        "redis+cluster://:pass-word@h:1/2",
        "redis://:pass-word@h:6379/abc",
        "redis://:pass-word@h:6379/0/1",
        "redis://:pass-word@h:6379/-1",
        "redis://:pass-word@h?foo=1",
        "redis://:pass-word@h?db=1",
        "redis://:pass-word@h?protocol=x",
        "redis://:pass-word@h?max_connections=x",
        "redis://:pass-word@h/0?socket_timeout=abc",
        "redis://:pass-word@h/0?password=pass-word",
        "redis://:pass-word@h/0?pass-word",
        "redis://:pass-word@h/0#pass-word",
        "redis://:half/pass-word@h",
        "redis://:half?pass-word@h",
        "redis://:half#pass-word@h",
        "rediss://:pass-word@h?decode_responses=true",
        "unix://:pass-word@/run/valkey.sock?db=x",
        "unix://:pass-word@/run/valkey.sock?db=",
        "redis://:pass-word @h",
        "REDIS://:pass-word@h",
        "unix://",
    ],
)
def test_any_other_url_is_refused_without_being_told(url: str) -> None:
    told = refusal({"WHITEHALL_REDIS_URL": url})
    assert told.startswith("WHITEHALL_REDIS_URL has to be redis://host:port/db")
    assert "pass-word" not in told


def test_the_data_folder_is_in_the_users_state_folder() -> None:
    assert load().data_dir == Path.home() / ".local/state/whitehall"
    assert load({"XDG_STATE_HOME": "/var/state"}).data_dir == Path("/var/state/whitehall")
    assert load({"XDG_STATE_HOME": "relative"}).data_dir == Path.home() / ".local/state/whitehall"
    assert load(data_dir="~/games").data_dir == Path.home() / "games"
    assert load(data_dir="games").data_dir == Path.cwd() / "games"


@pytest.mark.parametrize(
    "overrides",
    [
        {"grace_seconds": 10},
        {"default_deadline_seconds": 20},
        {"heartbeat_seconds": 60, "stream_minutes": 1},
        {"max_streams_per_game": 65, "max_streams": 64},
    ],
)
def test_settings_that_contradict_each_other_are_refused_together(overrides: dict[str, object]) -> None:
    told = refusal({}, None, **overrides)
    assert all(name in told for name in overrides)


@pytest.mark.parametrize("text", ["nan", "inf", "-1", ""])
def test_a_time_is_a_finite_number_in_range(text: str) -> None:
    assert "--grace-seconds" in refusal(grace_seconds=text)


def test_every_setting_is_described_and_every_number_has_a_range() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
        if field.annotation in (int, float):
            kinds = {type(limit) for limit in field.metadata}
            assert Le in kinds, name
            assert kinds & {Ge, Gt}, name
        unit = re.search(r"_(days|minutes|seconds|bytes)$", name)
        assert unit is None or unit[1] in field.description, name


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        load().open = True


def test_no_secret_is_shown_by_repr_or_sources_but_what_is_not_secret_is() -> None:
    key = "5e" * 32
    settings = load(
        {
            "WHITEHALL_OPERATOR_KEYS": f"main:{SECRET}",
            "WHITEHALL_TOKEN_KEYS": key,
            "WHITEHALL_REDIS_URL": f"redis://:{SECRET}@localhost",
        }
    )
    shown = {source.name: source.value for source in settings.sources()}
    everything = repr(settings) + str(settings) + repr(settings.sources())
    assert SECRET not in everything
    assert key not in everything
    assert repr(bytes.fromhex(key)) not in everything
    assert shown["operator_keys"] == "main:**********"
    assert shown["token_keys"] == "**********"
    assert shown["grpc_address"] == "127.0.0.1:50051"
    assert list(shown) == list(Settings.model_fields)


@pytest.mark.parametrize(
    "line", ["workers = true", "stream_minutes = true", "redis_url = false", "max_streams = false"]
)
def test_yes_and_no_are_no_numbers(line: str, tmp_path: Path) -> None:
    file = tmp_path / "whitehall.toml"
    file.write_text(line)
    assert refusal(file=file) == f"{line.split(maxsplit=1)[0]} in {file} can't be true or false"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://store:6379/0", "redis://store:6379/0"),
        ("redis://:SECRET@store:6379/0", "redis://**********@store:6379/0"),
        ("rediss://me:SEC%40RET@store/1?ssl_cert_reqs=none", "rediss://**********@store/1?ssl_cert_reqs=none"),
        ("unix:///run/valkey.sock?db=2", "unix:///run/valkey.sock?db=2"),
        (
            "redis+sentinel://:SECRET@a:26379,b:26379/games/0?sentinel_user=me&sentinel_password=SECRET",
            "redis+sentinel://**********@a:26379,b:26379/games/0?sentinel_user=**********&sentinel_password=**********",
        ),
        ("redis+cluster://u:SECRET@a:1,b:2", "redis+cluster://**********@a:1,b:2"),
    ],
)
def test_of_the_store_everything_is_shown_but_what_lets_somebody_in(url: str, shown: str) -> None:
    settings = load({"WHITEHALL_REDIS_URL": url})
    assert {source.name: source.value for source in settings.sources()}["redis_url"] == shown
    assert "SECRET" not in repr(settings)


def test_values_that_are_already_secret_are_taken_as_they_are() -> None:
    settings = load(
        redis_url=SecretStr("redis://h"), token_keys=(SecretBytes(b"k" * 32),), operator_keys=load().operator_keys
    )
    assert settings.token_keys[0].get_secret_value() == b"k" * 32
