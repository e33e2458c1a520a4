"""What the page says and how it can be used, in a real Chromium."""

import asyncio
from urllib.parse import urlsplit

import pytest
from fakes.browser.visitor import UNTRUSTED, visitor


def visited(look, site, host="localhost", **options):
    """The result of `look(person)` before the page."""

    async def visit():
        async with visitor(**options) as person:
            await person.page.goto(site.url(host))
            return await look(person)

    return asyncio.run(visit())


def test_every_board_that_there_is_an_image_for_can_be_chosen_by_its_name(site):
    async def look(person):
        rows = person.page.get_by_role("radio")
        names = [
            await row.evaluate("each => each.labels[0].innerText") for row in await rows.all()
        ]
        return names, await person.page.get_by_text("Not on this page").inner_text()

    names, missing = visited(look, site)
    boards = {path.name for path in (site.folder / "boards").iterdir()}
    assert len(names) == len(boards) > 15
    assert missing == f"Not on this page: {25 - len(boards)}"
    oled = next(name for name in names if "diy-s3-oled" in name)
    assert oled.startswith("ESP32-S3-DevKitC-1 N16R8 + INMP441 + MAX98357A + SSD1306 128x64")
    for fact in (
        "class 1",
        "PSRAM: 8 MB, octal",
        "screen 128×64",
        "tested on: hardware: no, simulated port: yes",
    ):
        assert fact in oled


def test_it_is_used_with_the_keyboard_alone_and_says_what_was_chosen(site):
    async def look(person):
        page = person.page
        focused = "document.activeElement.value || document.activeElement.textContent"
        await page.locator("input[name=board]").first.focus()
        await page.keyboard.press("Space")
        first = await page.get_by_role("status").inner_text()
        await page.keyboard.press("ArrowDown")
        second = await page.get_by_role("status").inner_text()
        seen = []
        while "Connect and install" not in seen:
            await page.keyboard.press("Tab")
            seen.append(await page.evaluate(focused))
        await page.keyboard.press("Enter")
        await page.locator("ew-list-item").first.wait_for()
        return first, second

    first, second = visited(look, site)
    assert first.startswith("Chosen: ") and second.startswith("Chosen: ") and first != second


def test_nothing_is_fetched_from_anywhere_else_and_nothing_is_refused(site):
    async def look(person):
        await person.page.locator("input[value=diy-s3-oled]").check()
        await person.press("Connect and install")
        await person.page.locator("ew-list-item").first.wait_for()
        return person

    person = visited(look, site)
    hosts = {urlsplit(url).hostname for url in person.requests if not url.startswith("data:")}
    assert hosts == {"localhost"}
    # The one complaint: nobody answers Improv before the first installation.
    assert [line for line in person.log if "Improv" not in line] == []


@pytest.mark.parametrize(
    ("host", "serial", "words"),
    [
        ("localhost", False, "it has no Web Serial"),
        (UNTRUSTED, True, "Open it by https://"),
    ],
)
def test_where_it_cannot_work_it_says_so_and_what_works(site, host, serial, words):
    async def look(person):
        if not serial:
            await person.page.add_init_script("delete Navigator.prototype.serial")
            await person.page.reload()
        alert = person.page.get_by_role("alert")
        await person.page.locator("input[value=diy-s3-lcd]").check()
        buttons = person.page.get_by_role("button", name="Connect and install")
        return (
            await alert.inner_text(),
            [await button.is_enabled() for button in await buttons.all()],
            await person.page.locator("#commands").inner_text(),
        )

    alert, enabled, commands = visited(look, site, host, serial=serial)
    assert words in alert and alert.endswith("By the command line it works on any computer.")
    assert enabled == [False]
    assert "voxcard device flash --board diy-s3-lcd" in commands and "BOARD" not in commands


@pytest.mark.parametrize("width", [320, 390, 1100])
def test_no_width_needs_scrolling_to_the_side(site, width):
    async def look(person):
        return await person.page.evaluate("document.documentElement.scrollWidth")

    assert visited(look, site, viewport={"width": width, "height": 800}) <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_schemes(site, scheme):
    """WCAG 2, AA: 4.5 to 1."""

    async def look(person):
        return await person.page.evaluate(CONTRASTS)

    contrasts = visited(look, site, color_scheme=scheme)
    assert len(contrasts) > 20
    assert [each for each in contrasts if each[0] < 4.5] == []


CONTRASTS = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [red, green, blue] = parse(colour).slice(0, 3).map((value) => {
      value /= 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (element) => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if ((parse(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const rows = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.disabled) continue;
    const pair = [light(getComputedStyle(element).color), light(background(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    rows.push([ratio, element.tagName, element.textContent.trim().slice(0, 30)]);
  }
  return rows;
}"""
