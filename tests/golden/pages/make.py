"""Write what cards say on screens, aloud and as text; --check compares instead.

python tests/golden/pages/make.py [--check]   A sixth of the cases of tests/golden/cards and every
file of examples/cards, on two screens. Read the difference before it is kept.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "bridge"), str(ROOT / "firmware"), str(ROOT / "tests")]

from bridge.cards.test_golden_pages import FILE, sections  # noqa: E402


def main() -> int:
    text = "\n".join(sections()) + "\n"
    if "--check" in sys.argv:
        return 0 if FILE.read_text(encoding="utf-8") == text else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
