"""A card's file read, printed and drawn without any device."""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from voxwire.capability import Screen
from voxwire.type import scale as typography

from voxcard import package_files
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.images.fetch import Fetcher
from voxcard.cards.model import CardRefused, Warned
from voxcard.cards.preview import preview as drawing
from voxcard.cards.preview import screens
from voxcard.cards.preview.description import described
from voxcard.cards.read import card_file
from voxcard.cards.read.dialects import DIALECTS
from voxcard.cards.read.reading import Reading
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.fetching.addresses import Resolver
from voxcard.json_value import Json

ENLARGED = 4  # px of the larger picture for each of the panel


def parse(file: Path, dialect: str, as_json: bool) -> None:
    """Print what `voxcard card parse` prints; VoxcardError when there is no card."""
    text = _text(file)
    try:
        parsed = card_file.read(text, dialect=_known(dialect))
    except CardRefused as refused:
        if as_json:
            why = {"path": refused.path, "reason": refused.reason}
            _print_json({"cards": [], "warnings": [], "refused": why})
        raise _refusal(file, refused) from refused
    if as_json:
        cards, warnings = described(parsed.cards), described(parsed.warnings)
        _print_json({"cards": cards, "warnings": warnings, "refused": None})
    else:
        _print_parsed(parsed)


def preview(
    file: Path, screen: str, out: Path, gif: bool, theme: str, dialect: str, dpi: int | None
) -> None:
    """Write what `voxcard card preview` writes, and print the paths; with `dpi` in true size."""
    panel = screens.named(screen, package_files.boards(), package_files.firmware() / "fonts")
    try:
        parsed = card_file.read(_text(file), dialect=_known(dialect))
    except CardRefused as refused:
        raise _refusal(file, refused) from refused
    pitch_um = _pitch_um(panel) if dpi else 0
    fitted = _fitted(parsed, panel)
    pages = drawing.draw([drawing.Shot(fitted=each, screen=panel, theme=theme) for each in fitted])
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path in _save(pages, fitted, out, gif):
            print(path if not dpi or path.suffix == ".gif" else _save_real(path, pitch_um, dpi))
    except OSError as error:
        problem = f"{out} cannot be written: {error.strerror}."
        raise VoxcardError(problem, "Name another folder with --out.") from error


def source(file: Path) -> dict[str, Json]:
    """What a bridge is asked to show, of a FILE of any dialect; VoxcardError when it is none."""
    try:
        return card_file.wrapped(card_file.loaded(_text(file)))
    except CardRefused as refused:
        raise _refusal(file, refused) from refused


def _fitted(parsed: Reading, panel: Screen) -> list[Fitted]:
    drawer = None
    try:
        drawer = Drawer(tuple(panel.cell))
    except MissingExtra as error:
        print(f"Characters the device lacks are drawn as boxes. {error}", file=sys.stderr)
    cut_down = asyncio.run(_with_pictures(parsed, panel, drawer))
    _print_warnings([*parsed.warnings, *(warned for each in cut_down for warned in each.warnings)])
    return cut_down


async def _with_pictures(parsed: Reading, panel: Screen, drawer: Drawer | None) -> list[Fitted]:
    """Fetched as the bridge does it: https, public addresses, its limits of size and time."""
    resolver = Resolver()
    try:
        return await drawing.fitted(
            parsed.cards,
            panel,
            now=time.time(),
            fetch=Fetcher(resolver).fetch,
            drawer=drawer,
        )
    finally:
        resolver.close()


def _save(pages: Sequence[Any], fitted: Sequence[Fitted], out: Path, gif: bool) -> list[Path]:
    """Write each page twice, and a GIF a card; the paths of the native pictures and GIFs."""
    paths = []
    for number, (images, each) in enumerate(zip(pages, fitted, strict=True), 1):
        prefix = f"card-{number}-" if len(fitted) > 1 else ""
        for page, image in enumerate(images, 1):
            path = out / f"{prefix}page-{page}.png"
            image.save(path)
            larger = (image.width * ENLARGED, image.height * ENLARGED)
            image.resize(larger, 0).save(path.with_stem(f"{path.stem}@{ENLARGED}x"))
            paths.append(path)
        if gif:
            paths.append(out / f"{prefix or 'card-'}pages.gif")
            drawing.animation(images, each.card, paths[-1])
    return paths


def _pitch_um(panel: Screen) -> int:
    """Of the panel; what is taken for one that is not known is told."""
    pitch_um: int = typography.pitch_um(panel)
    if not panel.pitch_um:
        mm = f"{pitch_um / 1000:.3f} mm"
        print(
            f"Drawn with {mm} from pixel to pixel, as such panels usually have.", file=sys.stderr
        )
    return pitch_um


def _save_real(page: Path, pitch_um: int, dpi: int) -> Path:
    """Write the page beside itself in true size; the path."""
    from PIL import Image

    path = page.with_stem(f"{page.stem}@{dpi}dpi")
    with Image.open(page) as image:
        drawing.at_true_size(image, pitch_um, dpi).save(path, dpi=(dpi, dpi))
    return path


def _known(dialect: str) -> str:
    if dialect and dialect not in DIALECTS:
        raise typer.BadParameter(f"--dialect must be one of {', '.join(DIALECTS)}, not {dialect}.")
    return dialect


def _text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        problem = f"{file} cannot be read: {error.strerror}."
        raise VoxcardError(problem, "Name another file.") from error
    except UnicodeDecodeError as error:
        raise VoxcardError(f"{file} is not UTF-8 text.", "Save it as UTF-8.") from error


def _refusal(file: Path, refused: CardRefused) -> VoxcardError:
    return VoxcardError(f"{file} gives no card: {refused}.", "Correct that place.")


def _print_parsed(parsed: Reading) -> None:
    for number, card in enumerate(parsed.cards, 1):
        if number > 1:
            print("\n---\n")
        print(f"{card.dialect} card {card.title or card.label}".rstrip())
        print(f"\nText:\n{card.twin.text}\n\nSpoken:\n{card.twin.speak}")
    _print_warnings(parsed.warnings)


def _print_warnings(warnings: Sequence[Warned]) -> None:
    for warned in warnings:
        words = (warned.code, warned.path, warned.detail)
        print("warning: " + ": ".join(word for word in words if word), file=sys.stderr)


def _print_json(value: Json) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
