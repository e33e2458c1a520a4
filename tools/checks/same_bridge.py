"""The rows of `same_programs` for the bridge without cards and assistants: as there."""

SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    "bridge/voxcard/toolhub/outcome.py": (
        (
            'if kind == "input_required":',
            'if kind >= "input_required":',
            "the only other kind is before it in order",
        ),
    ),
    "bridge/voxcard/toolhub/patterns.py": (
        ("_KEPT_MAX = 32  # compiled patterns", "", "the same again, only sooner or later"),
        ("_KEPT_MAX = 32 # compiled patterns", "", "the same again, only sooner or later"),
        (
            "options.never_capture = True",
            "options.never_capture = False",
            "nothing reads what was captured",
        ),
    ),
}
