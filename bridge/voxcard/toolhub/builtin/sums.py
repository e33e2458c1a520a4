"""The tool that calculates."""

from collections.abc import Mapping

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.builtin.arithmetic import EXPRESSION_MAX, SumError, calculate
from voxcard.toolhub.builtin.bridge_tool import BridgeTool, described, outcome
from voxcard.toolhub.model import ToolOutcome


def tool() -> BridgeTool:
    """`bridge.calculate`: exact where a result can be, with four places after the point else."""

    async def calculated(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        try:
            result = calculate(str(arguments.get("expression", "")))
        except SumError as error:
            raise VoxcardError(str(error)) from error
        text = f"That is {'' if result.is_exact else 'about '}{result.text}."
        return outcome(text, {"result": result.text, "exact": result.is_exact})

    return described(
        "calculate",
        "Calculate a sum exactly.",
        calculated,
        "(what is|what does|how much is|calculate|compute|work out) {expression} [(equal|make)]",
        expression={
            "type": "string",
            "format": "sum",
            "minLength": 1,
            "maxLength": EXPRESSION_MAX,
            "description": "numbers with + - * / ^ ( ), 20 % of 50, sqrt 2",
        },
    )
