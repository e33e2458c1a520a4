"""Real esp-web-tools in a real Chromium write a board and give it the Wi-Fi.

The board is Espressif's mock of the bootloader, then a program that answers Improv.
"""

import asyncio

import pytest
from fakes.browser.improv import ImprovDevice
from fakes.browser.visitor import visitor

HOME = {"Home": (-50, "a good password"), "Café ☕": (-70, "")}


def flash_of(chip, parts):
    """What is in the flash where `parts` belong."""
    return [bytes(chip.flash.data[offset : offset + len(data)]) for offset, data in parts]


async def install(person, site, board, erase=False):
    """From the page to the end of the installation."""
    await person.page.goto(site.url())
    await person.page.locator(f"input[value={board}]").check()
    await person.press("Connect and install")
    await person.choose(f"Install Voxcard for {board}")
    if erase:
        await person.page.locator("ew-checkbox").click()
    await person.press("Next")
    await person.press("Install")
    await person.read("Installation complete!")


async def connect(person, password):
    await person.page.get_by_label("Password").fill(password)
    await person.press("Connect")


def test_a_board_gets_what_the_manifest_lists_and_its_wifi(site):
    device = ImprovDevice(**HOME)

    async def set_up():
        async with visitor("esp32s3", device) as person:
            await install(person, site, "diy-s3-oled")
            await person.press("Next")
            await person.choose("Connect to Wi-Fi")
            await connect(person, "a good password")
            await person.read("Device connected to the network!")
            return person

    person = asyncio.run(set_up())
    parts = site.parts("diy-s3-oled")
    assert [offset for offset, _ in parts] == [0, 0x200000]
    assert flash_of(person.chip, parts) == [data for _, data in parts]
    assert device.joined == [("Home", "a good password")]
    assert person.chip.starts == ["bootloader", "program"]


def test_an_erased_board_is_asked_for_its_wifi_at_once_and_a_mistake_is_told(site):
    device = ImprovDevice(**HOME)

    async def set_up():
        async with visitor("esp32", device) as person:
            person.chip.flash.data[0x9000:0xF000] = bytes(0x6000)
            await install(person, site, "diy-esp32-oled", erase=True)
            await person.press("Next")
            await connect(person, "a bad password")
            await person.page.get_by_text("Unable to connect").wait_for()
            await connect(person, "a good password")
            await person.read("Device connected to the network!")
            return person

    person = asyncio.run(set_up())
    parts = site.parts("diy-esp32-oled")
    assert [offset for offset, _ in parts] == [0x1000, 0x200000]
    assert flash_of(person.chip, parts) == [data for _, data in parts]
    # NVS lies inside the image's bytes; what is behind them was erased.
    end = 0x200000 + len(parts[1][1])
    assert set(person.chip.flash.data[end:]) == {0xFF}
    assert device.joined == [("Home", "a bad password"), ("Home", "a good password")]


def test_a_network_of_any_name_can_be_typed(site):
    device = ImprovDevice(Küche=(-60, "püssword 8"))

    async def set_up():
        async with visitor("esp32s3", device) as person:
            await person.page.goto(site.url())
            person.chip.signals(rts=True)
            person.chip.signals(rts=False)  # it was installed before
            await person.page.locator("input[value=diy-s3-oled]").check()
            await person.open_wifi()
            await connect(person, "püssword 8")
            await person.read("Device connected to the network!")

    asyncio.run(set_up())
    assert device.joined == [("Küche", "püssword 8")]


@pytest.mark.parametrize(
    ("chip", "board", "name"),
    [("esp32c3", "diy-s3-oled", "ESP32-C3"), ("esp32s3", "diy-esp32-oled", "ESP32-S3")],
)
def test_another_chip_than_the_boards_is_left_alone(site, chip, board, name):
    async def refuse():
        async with visitor(chip) as person:
            await person.page.goto(site.url())
            await person.page.locator(f"input[value={board}]").check()
            await person.press("Connect and install")
            await person.choose(f"Install Voxcard for {board}")
            await person.press("Next")
            await person.press("Install")
            await person.read(f"Your {name} board is not supported.")
            return person.chip

    assert set(asyncio.run(refuse()).flash.data) == {0xFF}


def test_a_cable_that_is_pulled_fails_and_the_next_try_installs_everything(site):
    async def pull():
        async with visitor("esp32s3") as person:
            person.pull_at = 60_000  # the stub has 8 KB, the image comes compressed
            await person.page.goto(site.url())
            await person.page.locator("input[value=diy-s3-oled]").check()
            await person.press("Connect and install")
            await person.choose("Install Voxcard for diy-s3-oled")
            await person.press("Next")
            await person.press("Install")
            await person.page.get_by_text("Installation failed").wait_for()
            flash = person.chip.flash
        async with visitor("esp32s3", ImprovDevice(**HOME)) as person:
            person.chip.flash = flash
            await install(person, site, "diy-s3-oled")
            return person.chip

    parts = site.parts("diy-s3-oled")
    chip = asyncio.run(pull())
    assert flash_of(chip, parts) == [data for _, data in parts]


def test_a_board_that_does_not_answer_is_explained(site):
    async def fail():
        async with visitor("esp32s3") as person:
            person.chip.signals = lambda dtr=None, rts=None: None  # no bootloader starts
            await person.page.goto(site.url())
            await person.page.locator("input[value=diy-s3-oled]").check()
            await person.press("Connect and install")
            await person.choose("Install Voxcard for diy-s3-oled")
            await person.press("Next")
            await person.press("Install")
            await person.read("holding the BOOT button")

    asyncio.run(fail())
