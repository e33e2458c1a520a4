"""Data as programs write it into a text."""

import pytest
from voxcard.cards.text.data.notations import data_of, unpacked, xml_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("{'a': None, 'b': (1, 2.5), 'c': {True}}", {"a": None, "b": [1, 2.5], "c": [True]}),
        ("['it\\'s', \"x\"]", ["it's", "x"]),
        ("{'a': 1j}", None),
        ("{'a': b'x'}", None),
        ("{'a': open('/etc/passwd')}", None),
        ("{'a': '\\d'}", None),
        ("[" * 3000 + "'x'" + "]" * 3000, None),
        ("{'a': " + "9" * 5000 + "}", None),
        ("don't", None),
        ("", None),
    ],
)
def test_a_text_is_the_value_it_writes_down(text, value):
    assert data_of(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<a><b>1</b><b>2</b></a>", {"a": {"b": ["1", "2"]}}),
        ("<t unit='C'>21</t>", {"t": {"unit": "C", "text": "21"}}),
        ("<x:a xmlns:x='urn:y'><x:b/></x:a>", {"a": {"b": ""}}),
        ("<a>one <b>two</b></a>", {"a": {"text": "one", "b": "two"}}),
        ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", None),
        ("<a>" * 500 + "deep" + "</a>" * 500, "deep"),
        ("<a><b></a>", None),
        ("<a>\x00</a>", None),
    ],
)
def test_an_xml_document_is_an_object_by_the_names_of_its_elements(text, value):
    found = xml_of(text)
    if value == "deep":
        assert value in repr(found)
    else:
        assert found == value


def test_json_written_as_a_text_within_data_is_data():
    assert unpacked({"r": '{"n": "[1, 2]"}', "t": "{x}"}) == {"r": {"n": [1, 2]}, "t": "{x}"}


def test_data_within_data_is_read_to_a_limit():
    value: object = "[]"
    for _ in range(200):
        value = [value]
    assert repr(unpacked(value)) == repr(value)
