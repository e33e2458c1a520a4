"""The firmware's own Improv, under MicroPython, is given the Wi-Fi by real esp-web-tools."""

import asyncio

from fakes.browser.firmware_program import FirmwareProgram
from fakes.browser.visitor import visitor


async def open_wifi(person, site):
    """From the page to the form of a device that was installed before."""
    await person.page.goto(site.url())
    await person.page.locator("input[value=diy-s3-oled]").check()
    person.chip.signals(rts=True)
    person.chip.signals(rts=False)
    await person.open_wifi()


async def connect(person, password):
    await person.page.get_by_label("Password").fill(password)
    await person.press("Connect")


def test_it_says_who_it_is_lists_networks_and_joins(site):
    program = FirmwareProgram()

    async def set_up():
        async with visitor("esp32s3", program) as person:
            await open_wifi(person, site)
            options = person.page.locator("ew-select-option")
            await options.first.wait_for(state="attached")
            names = await options.evaluate_all("each => each.map((one) => one.value)")
            await connect(person, "correct horse")
            await person.read("Device connected to the network!")
            return names

    assert asyncio.run(set_up())[:2] == ["cafe", "home"]
    assert program.kept == [("home", "correct horse")]


def test_after_a_wrong_password_it_is_asked_for_again(site):
    program = FirmwareProgram()

    async def set_up():
        async with visitor("esp32s3", program) as person:
            await open_wifi(person, site)
            await connect(person, "wrong horse")
            await connect(person, "correct horse")
            await person.read("Device connected to the network!")

    asyncio.run(set_up())
    assert program.kept == [("home", "correct horse")]
