"""`voxcard card parse` and `card preview`: what they print, write and refuse."""

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import zxingcpp
from hatchling.builders.wheel import WheelBuilder
from PIL import Image
from voxcard import package_files
from voxcard.cards.read import card_file
from voxcard.cli import card_commands, commands

ROOT = Path(__file__).parents[3]
ORDER = {
    "title": "Order 1042",
    "subtitle": "Desk lamp",
    "fields": [{"label": "Due", "value": "tomorrow"}],
    "actions": [
        {"kind": "url", "label": "Track it", "url": "https://shop.example/1042"},
        {"kind": "message", "label": "Cancel it", "text": "Cancel order 1042"},
    ],
    "fallback_text": "Order 1042 comes tomorrow.",
}


class Command:
    """Runs `voxcard card …` in this process."""

    def __init__(self, monkeypatch, capsys):
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *words, stdin=b""):
        self._monkeypatch.setattr("sys.argv", ["voxcard", "card", *map(str, words)])
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            commands.main()
        out, err = self._capsys.readouterr()
        return ended.value.code or 0, out, err


@pytest.fixture
def card(monkeypatch, capsys):
    return Command(monkeypatch, capsys)


def written(folder: Path, value) -> Path:
    file = folder / "card.json"
    text = value if isinstance(value, str) else json.dumps(value)
    file.write_text(text, encoding="utf-8")
    return file


def test_parse_says_a_card_in_words(card, tmp_path):
    code, out, err = card("parse", written(tmp_path, ORDER))
    assert (code, err) == (0, "")
    assert out == (
        "assistant_platform card Order 1042\n\n"
        "Text:\nOrder 1042 comes tomorrow.\n\nSpoken:\nOrder 1042 comes tomorrow.\n"
    )


@pytest.mark.parametrize("form", [dict, lambda answer: [{"jsonrpc": "2.0", "id": 2}, answer]])
def test_parse_reads_the_answer_that_a_log_holds(card, form):
    result = {
        "content": [{"type": "resource_link", "uri": "https://pay.example/1", "name": "Invoice"}]
    }
    answer = {"jsonrpc": "2.0", "id": 3, "result": result}
    code, out, _ = card("parse", "-", stdin=json.dumps(form(answer)).encode())
    assert (code, out.split("\n")[0]) == (0, "mcp_result card Invoice")


@pytest.mark.parametrize(
    "line",
    [
        "event: message\nid: 4\ndata: {}\n\n",
        "2026-12-01 10:00:00 DEBUG <- {}\nnext line\n",
        '{{"jsonrpc":"2.0","id":3,"method":"tools/call"}}\n<- {}\n',
    ],
)
def test_parse_finds_the_answer_at_the_end_of_a_line(card, line):
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"content": [], "_meta": {
        "assistant_platform": {"card": ORDER}}}}  # fmt: skip
    code, out, _ = card("parse", "-", stdin=line.format(json.dumps(answer)).encode())
    assert (code, out.split("\n")[0]) == (0, "assistant_platform card Order 1042")


def test_parse_reads_the_card_of_a_tool_end_event(card):
    event = {"type": "tool_end", "tool": "orders", "card": ORDER}
    code, out, _ = card("parse", "-", stdin=json.dumps(event).encode())
    assert (code, out.split("\n")[0]) == (0, "assistant_platform card Order 1042")


def test_parse_reads_a_whole_tool_result_from_standard_input(card):
    result = {
        "content": [{"type": "text", "text": "It is on its way."}],
        "_meta": {"assistant_platform": {"card": ORDER}},
    }
    code, out, _ = card("parse", "-", "--json", stdin=json.dumps(result).encode())
    told = json.loads(out)
    assert code == 0 and told["warnings"] == [] and told["refused"] is None
    [shown] = told["cards"]
    assert shown["is"] == "Card" and shown["title"] == "Order 1042"
    assert shown["twin"]["speak"] == "It is on its way."
    assert [action["kind"] for action in shown["actions"]] == ["link", "message"]


def test_a_refused_card_ends_with_its_path_and_code_1(card, tmp_path):
    wrong = ORDER | {"actions": [{"kind": "url", "label": "Go", "url": "http://shop.example"}]}
    file = written(tmp_path, wrong)
    code, out, err = card("parse", file)
    assert (code, out) == (1, "")
    assert err == (
        f"voxcard: {file} gives no card: actions.0.url: must be an https link. "
        "Correct that place.\n"
    )
    code, out, _ = card("parse", file, "--json")
    assert code == 1
    assert json.loads(out) == {
        "cards": [],
        "warnings": [],
        "refused": {"path": "actions.0.url", "reason": "must be an https link"},
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[1, 2]", "is of no known dialect; name one with --dialect"),
        ('{"content": []}', "holds no card"),
        ("[" * 5000, "is not JSON"),
        ('"' + "x" * (1 << 20) + '"', "is larger than 1048576 characters"),
    ],
)
def test_a_file_without_a_card_is_one_line_of_error(card, tmp_path, text, said):
    code, out, err = card("parse", written(tmp_path, text))
    assert (code, out) == (1, "")
    assert said in err and err.count("\n") == 1


def test_a_named_dialect_reads_the_file_its_own_way(card, tmp_path):
    file = written(tmp_path, {"title": "Plan", "blocks": [{"type": "text", "text": "Swim"}]})
    assert card("parse", file)[1].startswith("codai card Plan\n")
    code, _, err = card("parse", file, "--dialect", "assistant_platform")
    assert code == 1 and "fallback_text" in err
    code, _, err = card("parse", file, "--dialect", "slack")
    assert code == 2 and "--dialect must be one of " in err


def test_a_fenced_card_is_found_in_a_text(card, tmp_path):
    text = 'Here:\n```codai-card\n{"title": "T", "blocks": [{"type": "text", "text": "x"}]}\n```\n'
    assert card("parse", written(tmp_path, text))[1].startswith("codai card T\n")


def test_a_file_that_is_not_there_or_not_text(card, tmp_path):
    code, _, err = card("parse", tmp_path / "no.json")
    assert code == 1 and "cannot be read" in err
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    code, _, err = card("parse", tmp_path / "b")
    assert code == 1 and "is not UTF-8 text" in err


def test_a_preview_is_every_page_at_native_pixels_and_four_times_as_large(card, tmp_path):
    out = tmp_path / "drawn"
    code, printed, err = card(
        "preview", written(tmp_path, ORDER), "--screen", "240x240", "--out", out
    )
    assert (code, err) == (0, "")
    assert printed.splitlines() == [str(out / f"page-{number}.png") for number in (1, 2)]
    with Image.open(out / "page-2.png") as page, Image.open(out / "page-2@4x.png") as larger:
        assert page.size == (240, 240) and larger.size == (960, 960)
        [code] = zxingcpp.read_barcodes(page)
        assert code.text == "HTTPS://SHOP.EXAMPLE/1042"  # in the dense alphabet, the same address


def test_a_preview_of_a_board_has_the_size_of_its_panel(card, tmp_path):
    words = ("preview", written(tmp_path, ORDER), "--out", tmp_path, "--screen")
    assert card(*words, "board:m5-atoms3-echo-base")[0] == 0
    with Image.open(tmp_path / "page-1.png") as page:
        assert page.size == (128, 128)
    code, _, err = card(*words, "board:ha-voice-pe")
    assert code == 1 and "has no screen" in err
    code, _, err = card(*words, "64x64")
    assert code == 1 and "Use 128x64, 128x128" in err


USUAL = "Drawn with {} mm from pixel to pixel, as such panels usually have.\n"


@pytest.mark.parametrize("dpi", [96, 109, 163, 326])
@pytest.mark.parametrize(
    ("screen", "width_mm", "height_mm", "told"),
    [
        ("128x64", 21.76, 10.88, USUAL.format("0.170")),
        ("240x240", 23.52, 23.52, USUAL.format("0.098")),
        ("240x240-round", 32.4, 32.4, USUAL.format("0.135")),
        ("320x240", 48.64, 36.48, USUAL.format("0.152")),
        ("80x160", 10.8, 21.6, USUAL.format("0.135")),
        ("board:m5-cores3", 40.64, 30.48, ""),  # as its file says
        ("board:diy-s3-lcd", 36.48, 48.64, USUAL.format("0.152")),
    ],
)
def test_a_preview_in_true_size_has_the_millimetres_of_the_panel(
    card, tmp_path, screen, width_mm, height_mm, told, dpi
):
    words = ("--screen", screen, "--out", tmp_path, "--scale", "real", "--dpi", dpi)
    code, printed, err = card("preview", written(tmp_path, ORDER), *words)
    assert (code, err) == (0, told)
    assert printed.splitlines()[0] == str(tmp_path / f"page-1@{dpi}dpi.png")
    with Image.open(tmp_path / f"page-1@{dpi}dpi.png") as page:
        sides = [25.4 * px / of for px, of in zip(page.size, page.info["dpi"], strict=True)]
    assert sides == [pytest.approx(width_mm, rel=0.01), pytest.approx(height_mm, rel=0.01)]


def test_true_size_needs_the_dpi_of_the_screen(card, tmp_path):
    words = ("preview", written(tmp_path, ORDER), "--out", tmp_path, "--screen", "240x240")
    for half in (("--scale", "real"), ("--dpi", "96")):
        code, _, err = card(*words, *half)
        assert code == 2 and "--scale real and --dpi N belong together" in err
    code, _, err = card(*words, "--scale", "huge")
    assert code == 2 and "--scale must be native or real, not huge." in err


def test_the_light_theme_is_drawn_light(card, tmp_path):
    file = written(tmp_path, ORDER)
    for theme in ("dark", "light"):
        assert not card(
            "preview", file, "--screen", "320x240", "--out", tmp_path / theme, "--theme", theme
        )[0]
    dark, light = (
        Image.open(tmp_path / theme / "page-1.png").convert("L").getpixel((319, 120))
        for theme in ("dark", "light")
    )
    assert dark < 40 and light > 200
    code, _, err = card("preview", file, "--screen", "128x64", "--out", tmp_path, "--theme", "red")
    assert code == 2 and "--theme must be dark or light" in err


def test_a_drawing_that_fails_is_told_in_one_line(card, tmp_path, monkeypatch):
    (tmp_path / "fonts").symlink_to(package_files.firmware() / "fonts")
    (tmp_path / "screen").mkdir()
    (tmp_path / "screen" / "__init__.py").write_text("raise MemoryError('no room')\n")
    monkeypatch.setattr(package_files, "firmware", lambda: tmp_path)
    code, _, err = card(
        "preview", written(tmp_path, ORDER), "--screen", "128x64", "--out", tmp_path
    )
    assert (code, err) == (
        1,
        "voxcard: The firmware could not draw the card: MemoryError: no room.\n",
    )


def test_the_wheel_draws_without_a_checkout(tmp_path):
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = (
        "from voxcard.cli.commands import main; import voxcard; print(voxcard.__file__); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "card", "preview", str(written(tmp_path, ORDER)),
         "--screen", "board:xmini-c3", "--out", str(tmp_path / "out")],
        # No MicroPython at hand: a preview needs none.
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "PATH": "", "MICROPYTHON": ""},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "site"))
    with Image.open(tmp_path / "out" / "page-1.png") as page:
        assert page.size == (128, 64)


@pytest.mark.parametrize("file", sorted((ROOT / "examples" / "cards").glob("**/*.json")), ids=str)
def test_every_example_is_read_as_the_dialect_it_is_named_after(file):
    names = {"codai": "codai", "a2ui": "a2ui", "sidetalk": "sidetalk", "mcp": "mcp_result",
             "chat-cards": "mcp_chat_cards", "companion": "companion"}  # fmt: skip
    expected = names.get(file.stem.rpartition(".")[2], "assistant_platform")
    [read] = card_file.read(file.read_text(encoding="utf-8")).cards
    assert read.dialect == expected
    [asked] = card_file.read_source(
        card_commands.source(file)
    ).cards  # as a bridge is asked to show it
    assert asked == read


def test_a2ui_is_read_as_lines_of_json(card, tmp_path):
    messages = json.loads((ROOT / "examples" / "cards" / "flight.a2ui.json").read_text())
    lines = "\n".join(map(json.dumps, messages))
    assert card("parse", written(tmp_path, lines))[1].startswith("a2ui card RO 371\n")


def test_a_card_that_plays_becomes_a_gif_with_its_own_times(card, tmp_path):
    file = ROOT / "examples" / "cards" / "tides.chat-cards.json"
    code, printed, _ = card("preview", file, "--screen", "240x240", "--out", tmp_path, "--gif")
    assert code == 0 and printed.splitlines()[-1] == str(tmp_path / "card-pages.gif")
    with Image.open(tmp_path / "card-pages.gif") as gif:
        times = []
        for frame in range(gif.n_frames):
            gif.seek(frame)
            times.append(gif.info["duration"])
        assert gif.size == (240, 240) and gif.info["loop"] == 0
    assert times[:3] == [3000, 3000, 4000]
