"""No character without ink, no two of a script with one picture: what remains is listed."""

import pytest

from tools.checks import glyphs

LISTED = set(glyphs.TARGET.read_text(encoding="utf-8").splitlines())


# Rows of national standards that hold what is in daily use: encoding, first and last lead byte.
STANDARDS = (
    ("gb2312", 0xB0, 0xD7),  # ideographs of level 1
    ("euc_jp", 0xA4, 0xA5),  # kana
    ("euc_jp", 0xB0, 0xCF),  # ideographs of level 1
    ("euc_kr", 0xB0, 0xC8),  # the syllables of KS X 1001
)


def in_daily_use(char):
    """Ideographs, kana and syllables of the standards, pictographs."""
    if "\U0001f300" <= char <= "\U0001f6ff" or "\U0001f900" <= char <= "\U0001faff":
        return True
    for encoding, first, last in STANDARDS:
        try:
            code = char.encode(encoding)
        except UnicodeEncodeError:
            continue
        if len(code) == 2 and first <= code[0] <= last:
            return True
    return False


def test_letters_of_drawn_lines_are_told_apart_at_every_size_of_their_face():
    assert [line for line in glyphs.lines(glyphs.of_lines()) if line not in LISTED] == []


def test_glyphs_in_daily_use_are_told_apart_in_both_cells():
    apart = set()
    for name, outlines, pictures in glyphs.of_cells(in_daily_use):
        apart |= {(name, group) for group in glyphs.findings(outlines, pictures)}
    clocks = {chr(code) for code in range(0x1F550, 0x1F568)}
    assert all(set(group) <= clocks for _, group in apart)


def test_every_listed_pair_of_equal_glyphs_has_a_reason():
    for line in LISTED:
        name, _, rest = line.partition(": ")
        reason = rest.partition(" (")[2].removesuffix(")")
        assert reason and name.startswith(tuple(glyphs.REASONS)), line


@pytest.mark.parametrize(
    "letters",
    [
        "ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژکگیٹڈڑںھہے٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹",
        "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह०१२३४५६७८९",
        "กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ๐๑๒๓๔๕๖๗๘๙",
        "កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរលវសហឡអ០១២៣៤៥៦៧៨៩",
        "ሀለሐመሠረሰሸቀበቨተቸኀነኘአከወዐዘዠየደጀገጠጨጰጸፀፈፐሼቬጁጂ",
    ],
)
def test_no_letter_in_daily_use_is_in_the_list(letters):
    codes = {f"{ord(letter):04X}" for letter in letters}
    for line in LISTED:
        for group in line.partition(": ")[2].partition(" (")[0].split():
            assert len(codes & set(group.split("="))) < 2, line
