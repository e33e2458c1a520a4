"""Partition tables of ESP32 images, read and checked; pure.

The format is Espressif's CSV (ESP-IDF, Partition Tables): name, type, subtype, offset, size.
"""

from dataclasses import dataclass

TABLE_END = 0x9000  # bootloader and the table itself
_ALIGNED = {"app": 0x10000, "data": 0x1000}
_OTADATA_BYTES = 0x2000
_NVS_BYTES_MIN = 0x3000


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """One row; offset and size in bytes."""

    name: str
    kind: str  # app or data
    subtype: str
    offset: int
    size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


def read(text: str) -> list[Partition]:
    """The rows of a table; ValueError for one that is none."""
    rows = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) < 5:
            raise ValueError(f"no partition: {line}")
        name, kind, subtype = cells[:3]
        offset, size = (int(cell, 0) for cell in cells[3:5])
        rows.append(Partition(name=name, kind=kind, subtype=subtype, offset=offset, size=size))
    return rows


def faults(rows: list[Partition], flash_bytes: int) -> list[str]:
    """Why a device cannot start or be updated with this table; empty when it can."""
    wrong = []
    end = TABLE_END
    for row in rows:
        step = _ALIGNED.get(row.kind)
        if step is None:
            wrong.append(f"{row.name}: {row.kind} is neither app nor data")
        elif row.offset % step or row.size % 0x1000:
            wrong.append(f"{row.name}: offset and size must be multiples of {step:#x} and 0x1000")
        if row.offset < end:
            wrong.append(
                f"{row.name}: begins at {row.offset:#x}, what is before it ends at {end:#x}"
            )
        end = row.end
    if end > flash_bytes:
        wrong.append(f"the table ends at {end:#x}, the flash at {flash_bytes:#x}")
    return wrong + _missing(rows)


def _missing(rows: list[Partition]) -> list[str]:
    by_name = {row.name: row for row in rows}
    slots = slot_sizes(rows)
    wrong = []
    if len(slots) != 2 or len(set(slots)) != 1:
        wrong.append(f"an update needs two slots of one size, here are {[hex(s) for s in slots]}")
    if "otadata" not in by_name or by_name["otadata"].size != _OTADATA_BYTES:
        wrong.append(f"otadata: an update needs it, of {_OTADATA_BYTES:#x} bytes")
    if "nvs" not in by_name or by_name["nvs"].size < _NVS_BYTES_MIN:
        wrong.append(f"nvs: Wi-Fi needs at least {_NVS_BYTES_MIN:#x} bytes of it")
    if "vfs" not in by_name:
        wrong.append("vfs: there is no room for files")
    return wrong


def slot_sizes(rows: list[Partition]) -> list[int]:
    """Bytes of the slots for images."""
    return [row.size for row in rows if row.subtype.startswith("ota_")]
