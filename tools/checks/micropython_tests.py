"""Run test files under MicroPython: every `test_*` function, one line each, exit 1 on a failure.

micropython FILE...   A function may be `async`; `assert` and `tests.fakes` are all it needs. The
output lines `ok NAME`, `FAIL NAME` and `ran N` are what tests/conftest.py reads.
"""

import asyncio
import sys


def run(path):
    folder, _, name = path.rpartition("/")
    sys.path.insert(0, folder or ".")
    module = __import__(name[: name.rindex(".")])
    failed = count = 0
    for test_name in sorted(dir(module)):
        test = getattr(module, test_name)
        if not test_name.startswith("test_") or not callable(test):
            continue
        count += 1
        failed += not passes(test_name, test)
    print("ran", count)
    return failed


def passes(name, test):
    try:
        outcome = test()
        if hasattr(outcome, "send"):
            asyncio.new_event_loop()
            asyncio.run(asyncio.wait_for(outcome, 60))
    except Exception as error:
        print("FAIL", name)
        sys.print_exception(error, sys.stdout)
        return False
    print("ok", name)
    return True


def main(paths):
    failed = 0
    for path in paths:
        failed += run(path)
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
