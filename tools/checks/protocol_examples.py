"""Put the golden message examples into docs/protocol.md; with --check, fail if they are not there.

Between `<!-- examples:SIDE -->` and `<!-- end -->` stands one example of every kind.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "protocol.md"
GOLDEN = ROOT / "tests" / "golden" / "wire" / "messages.json"


def with_examples(page: str, golden: dict[str, list[object]]) -> str:
    """`page` with the examples of every side written between its marks."""
    for side, examples in golden.items():
        lines = "\n".join(json.dumps(example, separators=(",", ":")) for example in examples)
        mark = f"<!-- examples:{side} -->"
        body = f"{mark}\n```json\n{lines}\n```\n<!-- end -->"
        parts = re.split(f"{mark}.*?<!-- end -->", page, flags=re.DOTALL)
        if len(parts) != 2:
            raise SystemExit(f"{PAGE}: needs exactly one mark {mark}")
        page = body.join(parts)
    return page


def main(arguments: list[str]) -> int:
    page = PAGE.read_text(encoding="utf-8")
    wanted = with_examples(page, json.loads(GOLDEN.read_text(encoding="utf-8")))
    if "--check" in arguments:
        if page != wanted:
            print("docs/protocol.md is stale: run python tools/checks/protocol_examples.py")
            return 1
        return 0
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
