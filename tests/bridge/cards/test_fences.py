"""Fenced cards in a model's text: taken out in order, and the rest is left as it was."""

import pytest
from voxcard.cards.read.fences import split


@pytest.mark.parametrize(
    ("text", "cards", "rest"),
    [
        ("words", [], "words"),
        ("a\n```codai-card\n{}\n```\nb", ["{}"], "a\nb"),
        ("```codai-card\n{1}\n```\n```codai-card\n{2}\n```", ["{1}", "{2}"], ""),
        ("~~~codai-card\n{\n}\n~~~", ["{\n}"], ""),
        ("```codai-card\n{}", ["{}"], ""),
        ("```json\n{}\n```", [], "```json\n{}\n```"),
        ("```json\n{}\n```\na\n```codai-card\n{1}\n```", ["{1}"], "```json\n{}\n```\na"),
        ("```json\n~~~codai-card\n{}\n~~~\n```", [], "```json\n~~~codai-card\n{}\n~~~\n```"),
    ],
)
def test_fences_are_taken_out(text, cards, rest):
    found, left = split(text)
    assert [each.strip("\n") for each in found] == cards
    assert left.strip("\n") == rest


def test_fences_on_one_line_are_cards_of_their_own():
    found, rest = split("a\n```codai-card {1}```\n```codai-card {2}```\nb")
    assert found == ["{1}", "{2}"] and rest == "a\nb"
