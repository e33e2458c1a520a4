"""Mermaid sources in words: arrows with their labels, and what has no arrows."""

import pytest
from voxcard.cards.text.diagrams import LINES_MAX, diagram_words, drawing_words, math_words


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


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("A->>B: Hi: you", "A → B: Hi: you"),
        ("[*]-->>[*]: go", "Start → End: go"),
        ("actor A as Ana\nA->>A: x", "Ana → Ana: x"),
        ("A --> B : go", "A → B: go"),
        ("A -->|yes| B : go", "A → B: yes"),
        ("A -->|at 10:30| B", "A → B: at 10:30"),
        ("A --> B[Open: 9]", "A → Open: 9"),
        ("A --> B --> C(Open: 9)", "A → B → Open: 9"),
        ("A --> B --> C : go", "A → B\nB → C: go"),
        ("A : go", "A"),
        ("A[One] --> B[Two] --> C\nA --> C", "One → Two → C\nOne → C"),
        ("A -->|x| B --> C -->|y| D", "A → B: x\nB → C\nC → D: y"),
        ("A --> \nB --> C", "B → C"),
        ('A -->|"x"| B', "A → B: x"),
        ("A & " * 8 + "B --> C", "A & " * 7 + "A → C"),
        ("note left of A: hot", "hot"),
        ("pie title \nx", "x"),
        ("graph TD\nA[One]\nB", "One\nB"),
        ("section Garden as G", "G"),
        ("participant Ana", "Ana"),
        ("A(One)\nB{Two}\nC{{Three", "One\nTwo\nC{{Three"),
        ("(A)\n'x' :y", "A\n'x'"),
        ("", "A diagram"),
    ],
)
def test_what_a_line_of_a_diagram_says(source, words):
    assert diagram_words(source) == words


@pytest.mark.parametrize(("lines", "more"), [(64, ""), (65, "\n+1 more"), (66, "\n+2 more")])
def test_sixty_four_lines_of_a_diagram_are_read(lines, more):
    assert diagram_words("\n".join(["A --> B"] * lines)) == "\n".join(["A → B"] * 64) + more
    assert diagram_words(";".join(["x"] * lines)) == "\n".join(["x"] * 64) + more


def test_three_hundred_letters_of_a_line_are_read():
    assert diagram_words("x" * 301) == "x" * 300


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"\frac{a}{b+1}", "a/(b+1)"),
        (r"\dfrac{\tfrac12}{\frac{1}{2}}", r"(tfrac12)/(1/2)"),
        (r"$\sqrt{x}$", "√(x)"),
        (r"x^2 + y_{10} = z^{n+1}_n", "x² + y₁₀ = zⁿ⁺¹ₙ"),
        (r"x^y_a", "x^y_a"),
        (r"20^\circ \text{C} \pm 1", "20^° C ± 1"),
        (r"\alpha\,\le\;\Omega", "α ≤ Ω"),
        (r"\nothing \left( x \right)", "nothing ( x )"),
        (r"\mathrm{\mathbf{kg}} \% ", "kg %"),
        (r"\sqrt{" * 6 + "x" + "}" * 6, "√(" * 6 + "x" + ")" * 6),
        (r"\sqrt{" * 7 + "x" + "}" * 7, "sqrt" + "√(" * 6 + "x" + ")" * 6),
        ("x" * 2001, "x" * 2000),
    ],
)
def test_a_formula_is_one_line_of_signs(source, words):
    assert math_words(source) == words


@pytest.mark.parametrize("language", ["latex", "math", "tex", "katex"])
def test_every_language_of_formulas_is_one(language):
    assert drawing_words(language, r"x^2") == "x²"
