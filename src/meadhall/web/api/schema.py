"""How the description of the JSON interface shows what each game writes in its own way: views, options, set-ups."""

from typing import Any

from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from meadhall.games.game import GAMES, game_named
from meadhall.tables.face import ByGame


class GameTypes(OpenAPISchemaPlugin):
    """Describes a `ByGame` type as one of those that the games declare."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Is this such a type?"""
        return isinstance(value, type) and issubclass(value, ByGame)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Any of what the games declare; options that may be left out make some values fit several."""
        declared = (getattr(game_named(name), field_definition.annotation.declared) for name in GAMES)
        described = [schema_creator.for_field_definition(FieldDefinition.from_annotation(kind)) for kind in declared]
        return Schema(any_of=described)
