"""Data as programs write it into a text: JSON, Python's literals, XML; as JSON values."""

import ast
import json
import re
from xml.etree import ElementTree

from voxcard.json_value import Json

_CODE_MAX = 65_536  # characters of Python or XML
_DEPTH_MAX = 32
# What Python writes only in a literal: 'text', None, True, (1, 2).
_PYTHON = re.compile(r"'|\b(?:None|True|False)\b")
_BAD_ESCAPE = re.compile(r"\\[^\\'\"abfnrtvx0-7uU\n]")
_DECLARED = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def data_of(text: str) -> Json:
    """The value that all of `text` is, written in any of the notations; None for any other."""
    value = json_of(text)
    return _python(text) if value is None else value


def json_of(text: str) -> Json:
    """The JSON value that `text` is; None for null and for any other text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def unpacked(value: Json, depth: int = 0) -> Json:
    """`value` with the objects and lists that are written as texts in it in their places."""
    if depth == _DEPTH_MAX:
        return value
    if isinstance(value, dict):
        return {key: unpacked(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [unpacked(entry, depth + 1) for entry in value]
    if isinstance(value, str) and value[:1] + value[-1:] in ("{}", "[]"):
        inner = json_of(value)
        return unpacked(inner, depth + 1) if isinstance(inner, dict | list) else value
    return value


def xml_of(text: str) -> Json:
    """The elements of an XML document as an object: attributes and children by their names, an
    element that holds only text as that text; None for any other text."""
    if len(text) > _CODE_MAX or _DECLARED.search(text):
        return None
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return None
    return {_name(root.tag): _element(root, 0)}


def _python(text: str) -> Json:
    if len(text) > _CODE_MAX or not _PYTHON.search(text) or _BAD_ESCAPE.search(text):
        return None
    try:
        return _plain(ast.literal_eval(text), 0)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _plain(value: object, depth: int) -> Json:
    """A literal as JSON has it; ValueError for what JSON has not."""
    if depth == _DEPTH_MAX:
        raise ValueError("is nested too deep")
    if isinstance(value, dict):
        return {str(key): _plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(entry, depth + 1) for entry in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError("is no value of JSON")


def _element(element: ElementTree.Element, depth: int) -> Json:
    children = list(element) if depth < _DEPTH_MAX else []
    text = " ".join(" ".join(element.itertext()).split()) if not children else ""
    text = text or " ".join((element.text or "").split())
    if not children and not element.attrib:
        return text
    data: dict[str, Json] = {_name(key): value for key, value in element.attrib.items()}
    if text:
        data["text"] = text
    for child in children:
        name, value = _name(child.tag), _element(child, depth + 1)
        if name not in data:
            data[name] = value
        elif isinstance(data[name], list):
            data[name].append(value)
        else:
            data[name] = [data[name], value]
    return data


def _name(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]
