"""Resolves paths of the configuration, and their defaults in the user's folders."""

import tempfile
import warnings
from pathlib import Path

import platformdirs


def path_in(folder: Path, path: str) -> str:
    """`path` as seen from `folder`; empty if it is."""
    return str(folder / Path(path).expanduser()) if path else ""


def name_or_path(folder: Path, chosen: str) -> str:
    """A model or voice: its name, or its path as seen from `folder`."""
    is_path = "/" in chosen or chosen.endswith(".onnx")
    return path_in(folder, chosen) if is_path else chosen


def path_or(folder: Path, path: str, default: Path) -> Path:
    """`path` as seen from `folder`, or `default` if it is empty."""
    return folder / Path(path).expanduser() if path else default


def state(name: str) -> Path:
    """A file of the user's state folder."""
    return platformdirs.user_state_path("voxcard") / name


def runtime(name: str) -> Path:
    """A file of the user's runtime folder."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a system without a runtime folder
        folder = platformdirs.user_runtime_path("voxcard")
    # Anyone can make a folder under /tmp before us; the state folder is the user's own.
    if folder.is_relative_to(tempfile.gettempdir()):
        return state(name)
    return folder / name
