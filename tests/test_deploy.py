"""The files in `deploy/`: what they name is there, what must agree agrees, and they keep no secrets."""

import ast
import json
import re
import shlex
import tomllib
from fnmatch import fnmatch
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from meadhall.cli import parser
from meadhall.web.app import LARGEST_BODY, create
from meadhall.web.pages.replay import LARGEST_RECORD
from meadhall.web.settings import Settings
from tests.docs.blocks import SETTINGS

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FILES = sorted(file for file in DEPLOY.iterdir() if file.name != ".env")
TEXTS = {file.name: file.read_text() for file in FILES}
COMPOSE: Any = yaml.safe_load(TEXTS["compose.yaml"])
SERVICES = COMPOSE["services"]
OF_THE_PROXY = {"MEADHALL_SITE", "MEADHALL_UPSTREAM"}
EXAMPLE = dict(re.findall(r"^(\w+)=(.*)$", TEXTS["example.env"], re.MULTILINE))
WITHOUT_COMMENTS = {name: re.sub(r"(?m)^\s*#.*$", "", text) for name, text in TEXTS.items()}


def every(name: str, pattern: str) -> list[str]:
    """All that a pattern finds in a file, comments left out; there must be something."""
    found: list[str] = re.findall(pattern, WITHOUT_COMMENTS[name], re.MULTILINE)
    assert found, f"{name}: {pattern}"
    return found


def the(name: str, pattern: str) -> str:
    (found,) = every(name, pattern)
    return found


# Everywhere


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_and_variable_that_a_file_names_is_there(name: str) -> None:
    for command in re.findall(r"(?<!\w)meadhall (serve(?: [^\n`)]+)?)", TEXTS[name]):
        parser().parse_args(shlex.split(re.sub(r"ADDRESS\w*", "192.0.2.1", command)))
    assert set(re.findall(r"\bMEADHALL_[A-Z_]+", TEXTS[name])) <= SETTINGS | OF_THE_PROXY


@pytest.mark.parametrize("name", TEXTS)
def test_no_file_keeps_a_secret(name: str) -> None:
    assert not re.search(r"://\w+:[^@\s$]+@", TEXTS[name])
    for key, value in re.findall(r"(\w*(?:PASSWORD|TOKEN|SECRET)\w*) *[:=] *(\S*)", TEXTS[name]):
        assert value == "" or value.startswith("${"), key
    ignored = (ROOT / ".gitignore").read_text().split()
    assert "/deploy/.env" in ignored


def test_the_version_is_that_of_the_project() -> None:
    named = [*every("Dockerfile", r'image\.version="(.*?)"'), SERVICES["meadhall"]["image"].partition(":")[2]]
    named += re.findall(r"meadhall-(\d+\.\d+\.\d+)-py3", TEXTS["meadhall.service"])
    assert named == [PROJECT["version"]] * 3


def test_the_page_for_hosts_names_every_file_and_no_other() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text()
    assert set(re.findall(r"\bdeploy/([\w.]*\w)", page)) - {".env"} == TEXTS.keys()
    assert set(re.findall(r"meadhall-([\d.]+)-py3", page)) == {PROJECT["version"]}


# The image


def test_the_image_has_a_python_that_we_promise() -> None:
    python = the("Dockerfile", r"^ARG PYTHON=(\S+)")
    assert f"Programming Language :: Python :: {python}" in PROJECT["classifiers"]
    assert set(every("Dockerfile", r"^FROM (\S+)")) == {"docker.io/library/python:${PYTHON}-slim"}


def test_the_image_is_made_of_what_is_there_and_of_nothing_else() -> None:
    copied = {word for line in every("Dockerfile", r"^COPY ((?!--from).+) \S+$") for word in line.split()}
    wanted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == wanted
    assert all((ROOT / name).exists() for name in copied)
    used = {"pyproject.toml", PROJECT["readme"], *PROJECT["license-files"], "src", "rulebook", "requirements.lock"}
    assert used == copied


def test_the_image_runs_as_nobody_in_particular_and_is_asked_whether_it_is_well() -> None:
    user = the("Dockerfile", r"^USER (\S+)")
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    health = json.loads(the("Dockerfile", r"^HEALTHCHECK .*\\\n +CMD (\[.*\])"))
    assert health[:2] == ["python", "-c"]
    assert ast.parse(health[2])
    port = the("Dockerfile", r"^EXPOSE (.+)")
    assert f":{port}/healthz" in health[2]
    start = json.loads(the("Dockerfile", r"^ENTRYPOINT (.+)")) + json.loads(the("Dockerfile", r"^CMD (\[.+\])"))
    assert start[0] == "meadhall"
    parser().parse_args(start[1:])
    assert the("Dockerfile", r"^VOLUME (\S+)") == the("Dockerfile", r"XDG_CACHE_HOME=(\S+)/cache")


# Compose


def test_the_services_are_given_settings_that_exist_and_a_command_that_can_be_run() -> None:
    hall = SERVICES["meadhall"]
    assert set(hall["environment"]) <= SETTINGS | {"PGPASSWORD"}
    options = parser().parse_args(hall["command"])
    assert options.workers > 1
    assert hall["environment"]["MEADHALL_DB"].startswith("postgresql://")
    assert SERVICES["caddy"]["environment"]["MEADHALL_UPSTREAM"] == f"meadhall:{options.port}"
    assert (DEPLOY / hall["build"]["context"] / hall["build"]["dockerfile"]).is_file()


def test_what_one_must_say_stands_in_the_example() -> None:
    asked = dict(re.findall(r"\$\{(\w+)(:[?-])", TEXTS["compose.yaml"]))
    assert {name for name, how in asked.items() if how == ":?"} <= EXAMPLE.keys() <= asked.keys()


def test_only_the_proxy_is_reached_from_outside_and_only_it_is_believed() -> None:
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"caddy"}
    address = SERVICES["caddy"]["networks"]["inside"]["ipv4_address"]
    assert SERVICES["meadhall"]["environment"]["MEADHALL_TRUSTED_PROXIES"] == address
    assert ip_address(address) in ip_network(COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_comes_back_has_limits_and_keeps_what_it_must(name: str) -> None:
    service = SERVICES[name]
    assert service["restart"] == "unless-stopped"
    assert service["mem_limit"]
    assert service["logging"]["options"]["max-size"]
    assert ":" in service["image"]
    for volume in service["volumes"]:
        source = volume.partition(":")[0]
        assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]


# Proxies


def test_the_proxies_let_everything_through_that_the_server_takes() -> None:
    for name, pattern in (("Caddyfile", r"max_size (\d+)KB"), ("nginx.conf", r"client_max_body_size (\d+)k")):
        assert int(the(name, pattern)) * 1024 > max(LARGEST_BODY, LARGEST_RECORD)


def test_the_proxies_hang_up_before_the_server_does() -> None:
    kept = Settings().request_time / 2
    assert int(the("Caddyfile", r"keepalive (\d+)s")) < kept
    assert int(the("nginx.conf", r"^        keepalive_timeout (\d+)s")) < kept


def test_nginx_tells_who_the_visitor_is_and_adds_to_nothing_he_claims() -> None:
    told = dict(re.findall(r"proxy_set_header (\S+) (\S+);", TEXTS["nginx.conf"]))
    assert told["Host"] == "$http_host"
    assert (told["X-Forwarded-For"], told["X-Forwarded-Proto"]) == ("$remote_addr", "$scheme")


# The service


def test_the_service_starts_what_can_be_started_and_hides_the_rest_of_the_machine() -> None:
    unit = re.findall(r"^(\w+)=(.*)$", TEXTS["meadhall.service"], re.MULTILINE)
    path, *words = shlex.split(dict(unit)["ExecStart"])
    assert path.endswith("/bin/meadhall")
    parser().parse_args(words)
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "RestrictSUIDSGID"):
        assert dict(unit)[name] == "yes"
    assert dict(unit)["ProtectSystem"] == "strict"
    folders = {value for name, value in unit if name == "Environment"}
    assert folders == {"XDG_DATA_HOME=%S", "XDG_CACHE_HOME=%C"}


# Watching


def exported() -> dict[str, set[str]]:
    """The names of all samples that the server exports, each with its labels."""
    assert create, "all that declares a metric is imported with it"
    found: dict[str, set[str]] = {}
    collectors = {each for each in REGISTRY._collector_to_names if hasattr(each, "_labelnames")}
    for collector in collectors:
        for name in REGISTRY._collector_to_names[collector]:
            found[name] = {*collector._labelnames, *(["le"] if name.endswith("_bucket") else [])}
    return found


def queries() -> list[str]:
    """Every query of the dashboard and of the alerts."""
    dashboard = json.loads(TEXTS["grafana.json"])
    rules = yaml.safe_load(TEXTS["meadhall.rules.yml"])
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return shown + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("query", queries())
def test_every_query_is_about_metrics_and_labels_that_are_there(query: str) -> None:
    known = exported()
    named = re.findall(r"\b(meadhall_\w+)", query)
    assert set(named) <= known.keys()
    assert named or re.search(r"\bup\{|\bprocess_(?:resident_memory_bytes|open_fds|max_fds)\b", query)
    labels = {"job", *(label for name in named for label in known[name])}
    used = {label.strip() for group in re.findall(r"by \((.*?)\)", query) for label in group.split(",")}
    assert used | set(re.findall(r"(\w+)=~?!?\"", query)) <= labels


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    asked = " ".join(queries())
    ours = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name in exported() if name.startswith("meadhall_")}
    totals = {name for name in ours if name.endswith("_total")}
    ours -= {name.removesuffix("_total") for name in totals}
    assert [name for name in sorted(ours) if name not in asked] == []


def test_the_dashboard_can_be_imported_as_it_is() -> None:
    dashboard = json.loads(TEXTS["grafana.json"])
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert {panel["datasource"]["uid"] for panel in panels} == {"${source}"}
    assert [each["name"] for each in dashboard["templating"]["list"]] == ["source"]
    for panel in panels:
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24


def test_prometheus_is_told_of_the_alerts() -> None:
    config = yaml.safe_load(TEXTS["prometheus.yml"])
    assert all((DEPLOY / name).is_file() for name in config["rule_files"])
    assert [job["job_name"] for job in config["scrape_configs"]] == ["meadhall"]
    assert not any(fnmatch(name, "*.token") for name in TEXTS)
