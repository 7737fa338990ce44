"""The description of the JSON interface against the running interface: schemathesis sends what fits it and what not."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import jsonschema_rs
import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from meadhall.tables.entries import Chose, Sat
from meadhall.tables.table import Table, deal
from meadhall.web.app import create
from meadhall.web.settings import Settings
from tests.variants import VARIANTS, Variant, random_choice, variant_named
from tests.web.server import Server, play_on, seat_players

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
EXAMPLES = settings(
    max_examples=15,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def routes(with_body: bool = False) -> list[tuple[str, str]]:
    """The method and path of all that is described, or of what takes a body."""
    described = create(Settings(db="/nowhere/x.sqlite")).openapi_schema.to_schema()
    return [
        (method.upper(), path)
        for path, item in described["paths"].items()
        for method, route in item.items()
        if "requestBody" in route or not with_body
    ]


def attempt(server: Server, method: str, path: str, mode: GenerationMode, call: Callable[[Case], Any]) -> None:
    """Have schemathesis make requests for one route, the same ones on every run."""
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")

    @EXAMPLES
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def run(case: Case) -> None:
        call(case)

    run()


@pytest.mark.parametrize(("method", "path"), routes())
def test_what_fits_the_description_is_answered_as_described(method: str, path: str, server: Server) -> None:
    with requests.Session() as session:
        attempt(server, method, path, POSITIVE, lambda case: case.call_and_validate(session=session, checks=CHECKS))


@pytest.mark.parametrize(("method", "path"), routes(with_body=True))
def test_what_does_not_fit_the_description_is_refused_as_described(method: str, path: str, server: Server) -> None:
    checks = [*CHECKS, negative_data_rejection]
    with requests.Session() as session:
        attempt(server, method, path, NEGATIVE, lambda case: case.call_and_validate(session=session, checks=checks))


@pytest.mark.parametrize(
    ("method", "path"), [route for route in routes() if "{code}" in route[1] and not route[1].endswith("/live")]
)
def test_real_tables_and_tokens_are_answered_as_described(method: str, path: str, server: Server) -> None:
    """With codes and tokens made up, hardly a request would get past the door."""
    dice = Random(f"{method} {path}")
    tables = [
        seat_players(server, variant_named(name)) for name in ("goths, seven turns", "romans, two", "romans, two")
    ]
    for code, players in tables[:2]:
        play_on(code, players, dice, 9)
    tables += [(server.player().open_table("goths"), tables[0][1])]
    play_on(*tables[2], dice)
    statuses = set()

    def call(case: Case) -> None:
        code, players = dice.choice(tables)
        seat = dice.choice(list(players))
        case.path_parameters["code"] = code
        if "seat" in case.path_parameters:
            case.path_parameters["seat"] = seat
        if isinstance(case.body, dict) and "position" in case.body:
            case.body["position"] = dice.choice([case.body["position"], server.player().table(code)["position"]])
        session.headers["authorization"] = f"Bearer {players[seat].token}"
        statuses.add(case.call_and_validate(session=session, checks=CHECKS).status_code)

    with requests.Session() as session:
        attempt(server, method, path, POSITIVE, call)
    assert len(statuses) > 1 or statuses == {200}
    assert statuses & {200, 201, 204, 409, 422}


# Every key is described


@pytest.fixture(scope="module")
def fits() -> Callable[[str, Any], None]:
    """Checks a value against a described type in which no object has a key that the description does not name."""
    described = create(Settings(db="/nowhere/x.sqlite")).openapi_schema.to_schema()["components"]
    for schema in described["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False

    def check(name: str, value: Any) -> None:
        kind = {"$ref": f"#/components/schemas/{name}", "components": described}
        jsonschema_rs.validator_for(kind).validate(json.loads(msgspec.json.encode(value)))

    return check


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_key_of_a_table_a_view_and_a_record_is_described(
    variant: Variant, fits: Callable[[str, Any], None]
) -> None:
    table, dice = Table(1, "BBBBBB", deal(variant.game, variant.rules, "host")), Random(1)
    for seat in table.places:
        table.apply(Sat(seat, seat))
    made = 0
    while table.phase == "playing":
        if made % 5 == 0 or made < 10:
            for seat in (None, *table.places):
                fits("TableFace", table.face(seat, seat))
                fits("Story", table.story(seat, seat))
        seat = dice.choice(table.waiting)
        table.apply(Chose(seat, random_choice(table.match, seat, dice)))
        made += 1
        if made > 400:  # a game without a limit of turns
            break
    fits("TableFace", table.face(None, None))
    fits("RecordInfo", table.match.record())
    with pytest.raises(jsonschema_rs.ValidationError):
        fits("TableFace", msgspec.to_builtins(table.face(None, None)) | {"view": {"turn": 1}})
