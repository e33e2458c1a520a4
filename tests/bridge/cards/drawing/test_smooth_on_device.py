"""What the bridge draws for devices with faces, read by the device's own code."""

import json
import os
import subprocess

from voxcard import package_files
from voxcard.cards.drawing.smooth import SmoothDrawer, smooth_blob, type_batch
from voxcard.cards.type.metrics import folder

from tools.build import interpreters

NAMES = ("b20", "t13", "t20")
WORDS = ("ご注文 #42 は配達中です", "您的订单→派送中 ☀", "주문이 배송 중 ἀρχή Ժամ", "x\ufe0f")
PROGRAM = """
import json, sys
from screen.type.faces import Faces
from screen.draw import find_strip
folder, batch, blob = sys.argv[1:4]
names, words = json.loads(sys.argv[4]), json.loads(sys.argv[5])
missing = []
faces = Faces(folder + "/", names, missing.append)
faces.add_batch(1, open(batch, "rb").read())
widths = [[faces.width(index, text) for text in words] for index in range(len(names))]
glyph = faces.get(2, ord("中"))
data = open(blob, "rb").read()
places = [find_strip(data, index, 4) for index in range(3)]
pictures = [place and (place[1], place[2], list(data[place[0] : place[0] + 8]))
            for place in places]
print(json.dumps([widths, missing, glyph[:3], list(glyph[3][0]), glyph[3][1:3], pictures]))
"""


def test_the_device_reads_glyphs_and_lines_and_measures_as_the_bridge_does(tmp_path):
    drawer = SmoothDrawer()
    batch, blob = tmp_path / "batch", tmp_path / "blob"
    codes = sorted(set(map(ord, "".join(WORDS))))
    glyphs = [(code, at, drawer.glyph(name, code)) for at, name in enumerate(NAMES)
              for code in codes]  # fmt: skip
    batch.write_bytes(type_batch(glyphs))
    lines = [drawer.line("t20", "שלום", 200, True), drawer.line("t13", "สวัสดี ที่", 200)]
    blob.write_bytes(smooth_blob(lines))
    arguments = [folder(), batch, blob, json.dumps(NAMES), json.dumps(WORDS)]
    answer = subprocess.run(
        [interpreters.host().path, "-X", "heapsize=4m", "-c", PROGRAM, *arguments],
        env={**os.environ, "MICROPYPATH": f"{package_files.firmware()}:.frozen"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    widths, missing, place, rows, size, pictures = json.loads(answer)
    assert widths == [[drawer.width(name, text) for text in WORDS] for name in NAMES]
    assert missing == []
    record = drawer.glyph("t20", ord("中"))
    assert (*place, *size) == (
        drawer.advance("t20", ord("中")),
        *_signed(record[1:3]),
        *record[3:5],
    )
    assert bytes(rows) == record[5:]
    assert pictures[2] is None
    for line, (width, height, start) in zip(lines, pictures, strict=False):
        assert (width, height, bytes(start)) == (line.width, line.height, line.rows[:8])


def _signed(data):
    return [byte - 256 if byte > 127 else byte for byte in data]
