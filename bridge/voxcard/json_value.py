"""The names of parsed JSON, which any layer may use."""

from collections.abc import Mapping
from typing import Any, TypeAlias

# What `json.loads` returns. `Any`, because it comes from others: whoever reads it checks it.
Json: TypeAlias = Any
JsonObject: TypeAlias = Mapping[str, Json]
