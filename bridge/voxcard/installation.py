"""How this Voxcard was installed, and so the command that adds an optional part to it."""

import importlib.util
import json
import shlex
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NAME = "voxcard"
_CHECKOUT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """An environment with Voxcard in it.

    `editable`: the folder of its sources where it runs from them. `url`: what else it was
    installed from (a wheel, a folder, a repository); neither: a package index. `tool`: who made
    the environment for this one program. `extras`: those that `uv tool` knows of.
    """

    python: str = sys.executable
    editable: Path | None = None
    url: str = ""
    version: str = ""
    has_pip: bool = True
    tool: str = ""  # pipx, uv, or ""
    environment: str = ""  # pipx's name for it
    extras: Sequence[str] = ()

    def command(self, extra: str) -> str:
        """The command line that adds `extra`, and leaves what else there is."""
        if self.tool == "uv":
            extras = ",".join(sorted({*self.extras, extra}))
            return f"uv tool install --force {self._requirement(extras)}"
        return f"{self._install()} {self._requirement(extra)}"

    def command_again(self, requirement: str) -> str:
        """The command line that installs one package anew."""
        pip = self.has_pip or self.tool == "pipx"
        again = "--force-reinstall" if pip else "--reinstall"
        return f"{self._install()} {again} --no-deps {requirement}"

    def _install(self) -> str:
        if self.tool == "pipx":
            return f"pipx runpip {shlex.quote(self.environment)} install"
        python = shlex.quote(self.python)
        if self.has_pip:
            return f"{python} -m pip install"
        return f"uv pip install --python {python}"

    def _requirement(self, extras: str) -> str:
        if self.editable is not None:
            return f'-e "{self.editable}[{extras}]"'
        if self.url:
            return f'"{_NAME}[{extras}] @ {self.url}"'
        return f'"{_NAME}[{extras}]=={self.version}"'


def remedy(extra: str) -> str:
    """What a person does to add the optional part `extra` here."""
    return f"Run: {this().command(extra)}"


def remedy_again(module: str) -> str:
    """What a person does when the files of the package with `module` are not what they were."""
    package = metadata.packages_distributions()[module][0]
    return f"Run: {this().command_again(f'{package}=={metadata.version(package)}')}"


def this() -> Installation:
    """The installation that runs."""
    prefix, receipt = Path(sys.prefix), Path(sys.prefix) / "uv-receipt.toml"
    editable, url, version = _origin()
    tool = "pipx" if (prefix / "pipx_metadata.json").is_file() else ""
    extras: Sequence[str] = ()
    if receipt.is_file():
        tool, extras = "uv", _extras(receipt)
    return Installation(
        editable=editable,
        url=url,
        version=version,
        has_pip=importlib.util.find_spec("pip") is not None,
        tool=tool,
        environment=prefix.name,
        extras=extras,
    )


def _origin() -> tuple[Path | None, str, str]:
    """(`editable`, `url`, `version`) by what the installer noted: PEP 610."""
    try:
        package = metadata.distribution(_NAME)
    except metadata.PackageNotFoundError:  # started from its sources
        return _CHECKOUT, "", ""
    noted = json.loads(package.read_text("direct_url.json") or "{}")
    url = str(noted.get("url", ""))
    if noted.get("dir_info", {}).get("editable"):
        return Path(unquote(urlsplit(url).path)), "", package.version
    if "vcs_info" in noted:
        url = f"{noted['vcs_info']['vcs']}+{url}@{noted['vcs_info']['commit_id']}"
    return None, url, package.version


def _extras(receipt: Path) -> Sequence[str]:
    """What `uv tool` was asked to install with us."""
    asked = tomllib.loads(receipt.read_text(encoding="utf-8"))["tool"]["requirements"]
    return [extra for each in asked if each["name"] == _NAME for extra in each.get("extras", ())]
