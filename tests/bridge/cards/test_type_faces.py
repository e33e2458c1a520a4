"""The files of the faces: what their maker makes, what bridge and device read in them alike."""

import json
import os
import subprocess

from voxcard import package_files
from voxcard.cards.type.metrics import folder, metrics
from voxwire.type import scale

from tools.build import interpreters, type_faces

WORDS = "Out for delivery, Ấỹ Привет €48.90 №"
PROGRAM = """
import json, sys
from screen.type.faces import Faces
faces = Faces(sys.argv[1] + "/", json.loads(sys.argv[2]))
print(json.dumps([[faces.width(index, sys.argv[3]), faces.heads(index).cap] for index in
                  range(len(faces.names))]))
"""


def test_every_face_is_what_the_package_makes():
    assert set(type_faces.names()) == set(scale.KNOWN)
    for name in ("t13", "b20", "d44", "i30"):
        assert (folder() / f"{name}.font").read_bytes() == type_faces.made(name)
    assert {path.stem for path in folder().glob("*.font")} == set(scale.KNOWN)


def test_the_device_measures_as_the_bridge_does():
    names = ("t8", "t20", "b15", "b28")
    measured = subprocess.run(
        [interpreters.host().path, "-c", PROGRAM, folder(), json.dumps(names), WORDS],
        env={**os.environ, "MICROPYPATH": f"{package_files.firmware()}:.frozen"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    faces = [metrics(name) for name in names]
    assert json.loads(measured) == [[face.width(WORDS), face.cap] for face in faces]


def test_capitals_are_as_high_as_the_name_of_the_face_says():
    for name in (each for each in scale.KNOWN if each[0] != "i"):
        glyph = type_faces.Maker(name).glyph(ord("H"))
        assert glyph.top == glyph.height == scale.cap_px(name), name


def test_figures_of_the_large_faces_are_as_wide_as_each_other():
    for height in scale.FIGURES:
        advances = metrics(f"d{height}").advances
        assert len({advances[ord(figure)] for figure in "0123456789"}) == 1
