"""Mermaid sources in words: arrows with their labels, and what has no arrows."""

import pytest
from voxcard.cards.text.diagrams import LINES_MAX, diagram_words, drawing_words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("A[Sensor] --> B{Too hot?}\nB -->|yes| C[Fan on]\nB -->|no| D[Fan off]",
         "Sensor → Too hot?\nToo hot? → Fan on: yes\nToo hot? → Fan off: no"),
        ("A -- yes --> B", "A → B: yes"),
        ("A -. maybe .-> B", "A → B: maybe"),
        ("A == no-go ==> B", "A → B: no-go"),
        ("A -.->|slow| B -->C", "A → B: slow\nB → C"),
        ("A --- B --o C --x D <--> E", "A → B → C → D → E"),
        ("A & B --> C", "A & B → C"),
        ("A-->B; B-->C", "A → B\nB → C"),
        ("Foo:::hot --> Boo", "Foo → Boo"),
        ("participant A as Ana\nA->>B: Hi\nNote over A,B: later", "Ana → B: Hi\nlater"),
        ("stateDiagram-v2\n[*] --> Idle : power\nIdle --> [*]", "Start → Idle: power\nIdle → End"),
        ("classDiagram\nAnimal <|-- Duck : is a", "Animal → Duck: is a"),
        ("erDiagram\nUSER ||--o{ ORDER : places", "USER → ORDER: places"),
        ('pie title Pets\n"Dogs" : 3\n"Cats" : 4', "Pets\nDogs: 3\nCats: 4"),
        ("mindmap\n root((Home))\n  Kitchen", "Home\nKitchen"),
        ("gantt\ntitle Plan\nsection Garden\nDig :done, a1, 2026-01-01, 3d", "Plan\nGarden\nDig"),
        ("%% nothing\ngraph TD", "A diagram"),
    ],
)  # fmt: skip
def test_a_diagram_says_where_its_arrows_lead_and_why(source, words):
    assert diagram_words(source) == words


def test_arrows_past_the_last_line_read_are_counted():
    source = "\n".join(f"A{index} --> B" for index in range(LINES_MAX + 5))
    assert diagram_words(source).endswith("\n+5 more")


def test_only_languages_of_drawings_have_words():
    assert drawing_words("latex", r"\frac{1}{2}") == "1/2"
    assert drawing_words("python", "a --> b") == ""
