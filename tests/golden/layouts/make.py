"""Write where things go on every shape of screen; --check compares instead.

python tests/golden/layouts/make.py [--check]   Each line of layouts.txt is a screen, what is laid
out on it, and the numbers that voxwire.card gives; the pictures of tests/golden/screens show them.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[2] / "firmware"), str(HERE.parents[1])]

from both.test_card_layout import lines  # noqa: E402


def main() -> int:
    text = "\n".join(lines()) + "\n"
    file = HERE / "layouts.txt"
    if "--check" in sys.argv:
        return 0 if file.read_text() == text else 1
    file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
