"""What stands for a view or a link has nothing that the real one lacks."""

import os
import re
import sys

import screen.view
from fakes.device import view as fake_view
from fakes.device.display import Display
from fakes.device.mqtt_client import FakeClient
from link.device_link import DeviceLink
from no_screen import NoScreen

FIRMWARE = screen.view.__file__.rsplit("screen/", 1)[0] or "."
TESTS = fake_view.__file__.rsplit("fakes/", 1)[0] or "."
FAKE = re.compile("^class ([A-Za-z]*)(View|Link)[(:]")
USE = re.compile("(^|[^a-z._])(self\\._)?view\\.([a-z_]+)")


def real(kind):
    if kind == "View":
        return screen.view.View(Display())
    return DeviceLink(FakeClient(), "cam", None)


def lacking(fake, thing):
    """The public names of a class that a real object has not."""
    return [name for name in dir(fake) if name[0] != "_" and not hasattr(thing, name)]


def sources(folder):
    """(path, lines) of every Python file in a folder and those below it."""
    for entry in os.ilistdir(folder):
        path = folder.rstrip("/") + "/" + entry[0]
        if entry[1] == 0x4000:
            yield from sources(path)
        elif path.endswith(".py"):
            with open(path) as file:
                yield path, file.read().split("\n")


def fakes():
    """(path, name of its class, "View" or "Link") of all that stand for one."""
    for folder in ("device", "fakes/device"):
        for path, lines in sources(TESTS.rstrip("/") + "/" + folder):
            for line in lines:
                match = FAKE.match(line)
                if match:
                    yield path, match.group(1) + match.group(2), match.group(2)


def test_what_is_extra_is_found():
    class Extra(fake_view.FakeView):
        def show_everything(self):
            pass

    assert lacking(Extra, real("View")) == ["show_everything"]
    assert lacking(fake_view.FakeView, real("View")) == []


def test_a_fake_has_no_method_that_the_real_one_lacks():
    found = {}
    for path, name, kind in fakes():
        module = path[len(TESTS.rstrip("/")) + 1 : -len(".py")].replace("/", ".")
        __import__(module)
        found[module + "." + name] = lacking(getattr(sys.modules[module], name), real(kind))
    assert len(found) >= 8
    assert {name: extra for name, extra in found.items() if extra} == {}


def test_a_board_without_a_screen_has_nothing_that_a_view_lacks():
    assert lacking(NoScreen, real("View")) == []


def test_what_the_firmware_asks_of_a_view_is_there():
    view, asked = real("View"), set()
    for path, lines in sources(FIRMWARE):
        for line in lines:
            match = USE.search(line)
            if match and not hasattr(view, match.group(3)):
                raise AssertionError(path + ": " + line.strip())
            if match:
                asked.add(match.group(3))
    assert len(asked) > 15
