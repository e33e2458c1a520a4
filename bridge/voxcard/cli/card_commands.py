"""`voxcard card parse` and `card preview` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from voxcard.cards.preview.screens import SIZES
from voxcard.json_value import Json

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A card or tool result of any dialect; - is stdin.")
]
Dialect = Annotated[str, typer.Option(metavar="NAME", help="Instead of detecting it.")]


# The other commands start faster without what reads and draws cards.
def parse(
    file: File,
    dialect: Dialect = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the cards in FILE, what stands for them in words, and what was mended."""
    from voxcard.cli import card_files

    card_files.parse(file, dialect, as_json)


def preview(
    file: File,
    screen: Annotated[
        str, typer.Option(metavar="SIZE", help=f"{', '.join(SIZES)} or board:<id>.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the pictures.")],
    gif: Annotated[bool, typer.Option("--gif", help="Also a GIF that turns the pages.")] = False,
    theme: Annotated[str, typer.Option(metavar="dark|light")] = "dark",
    scale: Annotated[
        str, typer.Option(metavar="native|real", help="real: also in true size, for --dpi.")
    ] = "native",
    dpi: Annotated[
        int | None,
        typer.Option(metavar="N", help="Pixels per inch of your own screen.", min=50, max=1200),
    ] = None,
    dialect: Dialect = "",
) -> None:
    """Draw every page of the cards in FILE as a device with that screen shows them."""
    if theme not in ("dark", "light"):
        raise typer.BadParameter(f"--theme must be dark or light, not {theme}.")
    if scale not in ("native", "real"):
        raise typer.BadParameter(f"--scale must be native or real, not {scale}.")
    if (scale == "real") != (dpi is not None):
        raise typer.BadParameter(
            "--scale real and --dpi N belong together: N is the pixels per inch of your screen, "
            "its width in pixels divided by its width in inches."
        )
    from voxcard.cli import card_files

    card_files.preview(file, screen, out, gif, theme, dialect, dpi)


def source(file: Path) -> dict[str, Json]:
    """What a bridge is asked to show, of a FILE of any dialect; VoxcardError when it is none."""
    from voxcard.cli import card_files

    return card_files.source(file)
