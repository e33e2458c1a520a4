"""What a person sees of a card in any script: every digit, every word, in order, told apart."""

import logging
import struct
from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import (
    Action,
    Card,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    Question,
    TextBlock,
)
from voxcard.cards.text.twins import complete
from voxwire import card as wire
from voxwire.capability import BLOCKS

FONT = ((32, 0x24F), (0x370, 0x52F), (0x1E00, 0x1EFF), (0x2010, 0x2027))
OLED = screen_of(128, 64, 1, "rect", 170, (6, 12), FONT, BLOCKS)
PANEL = screen_of(240, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS)
ROUND = screen_of(240, 240, 16, "round", 116, (8, 16), FONT, BLOCKS)
WIDE = screen_of(320, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS)
SCREENS = (OLED, PANEL, ROUND, WIDE)
# A weather report in each script, as long as a card's text is.
REPORTS = {
    "Arabic": "ستمطر السماء مساء اليوم في القاهرة. درجة الحرارة ٣٠ درجة. خذ مظلة معك.",
    "Persian": "امشب در تهران باران می‌بارد. دما ۲۰ درجه است. چتر همراه داشته باشید.",
    "Urdu": "آج شام لاہور میں بارش ہوگی۔ درجہ حرارت ۳۰ ڈگری ہے۔ چھتری ساتھ رکھیں۔",
    "Hebrew": "הערב ירד גשם בתל אביב. הטמפרטורה 20 מעלות. כדאי לקחת מטרייה.",
    "Hindi": "आज शाम दिल्ली में बारिश होगी। तापमान ३१ डिग्री। कृपया छाता साथ रखें।",
    "Bengali": "আজ বিকেলে কলকাতায় বৃষ্টি হবে। তাপমাত্রা ৩১ ডিগ্রি। ছাতা সঙ্গে রাখুন।",
    "Punjabi": "ਅੱਜ ਸ਼ਾਮ ਅੰਮ੍ਰਿਤਸਰ ਵਿੱਚ ਮੀਂਹ ਪਵੇਗਾ। ਤਾਪਮਾਨ ੩੧ ਡਿਗਰੀ। ਛੱਤਰੀ ਨਾਲ ਰੱਖੋ।",
    "Gujarati": "આજે સાંજે અમદાવાદમાં વરસાદ પડશે. તાપમાન ૩૧ ડિગ્રી. છત્રી સાથે રાખો.",
    "Odia": "ଆଜି ସନ୍ଧ୍ୟାରେ ଭୁବନେଶ୍ୱରରେ ବର୍ଷା ହେବ। ତାପମାତ୍ରା ୩୧ ଡିଗ୍ରୀ। ଛତା ନିଅନ୍ତୁ।",
    "Tamil": "சென்னையில் இன்று மாலை மழை பெய்யும். வெப்பநிலை 31 டிகிரி. குடை எடுத்துச் செல்லவும்.",
    "Telugu": "ఈరోజు సాయంత్రం హైదరాబాద్‌లో వర్షం పడుతుంది. ఉష్ణోగ్రత 31 డిగ్రీలు. గొడుగు తీసుకెళ్లండి.",
    "Kannada": "ಇಂದು ಸಂಜೆ ಬೆಂಗಳೂರಿನಲ್ಲಿ ಮಳೆಯಾಗುತ್ತದೆ. ತಾಪಮಾನ 31 ಡಿಗ್ರಿ. ಕೊಡೆ ತೆಗೆದುಕೊಂಡು ಹೋಗಿ.",
    "Malayalam": "തിരുവനന്തപുരത്ത് വൈകുന്നേരം മഴ പെയ്യും. കുട കൊണ്ടുപോകുക. താപനില 31 ഡിഗ്രി.",
    "Sinhala": "අද සවස කොළඹට වැසි ලැබේ. උෂ්ණත්වය අංශක 31. කුඩයක් රැගෙන යන්න.",
    "Thai": "วันนี้ที่กรุงเทพฯ ฝนจะตกช่วงเย็น ผู้ใหญ่และเด็กควรพกร่ม อุณหภูมิ 31 องศา",
    "Lao": "ມື້ນີ້ຕອນແລງຢູ່ວຽງຈັນຈະມີຝົນຕົກ. ອຸນຫະພູມ 31 ອົງສາ. ເອົາຄັນຮົ່ມໄປນຳ.",
    "Khmer": "ថ្ងៃនេះនៅភ្នំពេញនឹងមានភ្លៀងធ្លាក់។ សីតុណ្ហភាព ៣១ អង្សា។ យកឆ័ត្រទៅជាមួយ។",
    "Burmese": "ယနေ့ညနေ ရန်ကုန်မြို့တွင် မိုးရွာမည်။ အပူချိန် ၃၁ ဒီဂရီ။ ထီးယူသွားပါ။",
    "Amharic": "ዛሬ ማታ በአዲስ አበባ ዝናብ ይዘንባል። ሙቀቱ 20 ዲግሪ ነው። ጃንጥላ ይውሰዱ።",
}


def fitted(card, screen=OLED):
    return fit(
        complete(card),
        screen,
        now=0,
        next_blob=count(1).__next__,
        drawer=Drawer(tuple(screen.cell)),
    )


def strips(fitted_card):
    """The strips of a fitted card as rows of text, by index."""
    data = next((blob.data for blob in fitted_card.blobs if blob.kind == "strips"), b"\0\0")
    bitmaps, at = [], 2
    for _ in range(struct.unpack_from(">H", data)[0]):
        width, height = struct.unpack_from(">HH", data, at)
        at, stride = at + 4, (width + 7) // 8
        rows = [data[at + y * stride : at + (y + 1) * stride] for y in range(height)]
        bits = ["".join(f"{byte:08b}" for byte in row)[:width] for row in rows]
        bitmaps.append([row.replace("0", ".").replace("1", "#") for row in bits])
        at += height * stride
    return bitmaps


def inked(rows):
    return sum(row.count("#") for row in rows)


def islands(rows):
    """Stretches of columns with ink, of which each is a letter or more: (first, last)."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    spans, begin = [], None
    for x, column in enumerate([*columns, ""]):
        if "#" in column and begin is None:
            begin = x
        elif "#" not in column and begin is not None:
            spans.append((begin, x - 1))
            begin = None
    return spans


@pytest.mark.parametrize("digits", ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "๐๑๒๓๔๕๖๗๘๙"])
@pytest.mark.parametrize("screen", [OLED, PANEL])
def test_every_digit_has_ink_and_is_no_other(digits, screen):
    drawer = Drawer(tuple(screen.cell))
    drawn = [drawer.strip(digit, 100).rows for digit in digits]
    assert all(sum(row.bit_count() for row in rows) >= 2 for rows in drawn)
    assert len(set(drawn)) == 10


@pytest.mark.parametrize("amount", ["٥٠٠٠", "٣٠٠", "١٠:٠٠", "۱۲۰٬۰۰۰", "۲٬۰۵۰٬۰۰۰"])
def test_an_amount_shows_all_its_digits(amount):
    fitted_card = fitted(Card(id="c", dialect="x", title="t", blocks=(TextBlock(text=amount),)))
    [rows] = strips(fitted_card)
    assert len(islands(rows)) == len(amount)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("language", REPORTS)
def test_no_line_is_wider_than_its_room_and_no_word_is_lost(language, screen):
    text = REPORTS[language]
    drawer = Drawer(tuple(screen.cell))
    room = wire.layout(screen).body.cols * screen.cell[0]
    rtl = language in ("Arabic", "Persian", "Urdu", "Hebrew")
    how = drawer.paragraph(text, room, 100, rtl=rtl)
    assert "".join("".join(how.lines).split()) == "".join(text.split())
    whole = drawer.block(how.lines, how, 10_000, rtl)
    assert 0 < whole.width <= room


@pytest.mark.parametrize("language", REPORTS)
def test_a_report_is_on_the_pages_of_the_smallest_screen(language):
    card = Card(id="c", dialect="x", title="t", blocks=(TextBlock(text=REPORTS[language]),))
    fitted_card = fitted(card)
    assert fitted_card.warnings == ()
    rows = wire.layout(OLED).body.rows
    assert len(fitted_card.card.pages) <= 6 and all(
        len(page.lines) <= rows for page in fitted_card.card.pages
    )
    assert all(width <= 126 for width in (len(strip[0]) for strip in strips(fitted_card)))


def test_the_word_before_the_number_is_there_in_tamil():
    """`வெப்பநிலை` (temperature) and `31` in one line, both whole."""
    drawer = Drawer((8, 16))
    lines = drawer.paragraph(REPORTS["Tamil"], 304, 20, rtl=False).lines
    [line] = [line for line in lines if "31" in line]
    assert (
        drawer.block((line,), drawer.paragraph(line, 304, 1, rtl=False), 999, False).width <= 304
    )


def test_a_wrapped_right_to_left_line_that_begins_with_latin_does_not_flip():
    text = "اشتريت أمس هاتفا من متجر Amazon وسوف يصل غدا مع كتاب Python جديد"
    drawer = Drawer((8, 16))
    how = drawer.paragraph("Amazon وسوف", 240, 1, rtl=True)
    [amazon] = [
        span for span in islands(_rows(drawer.block(how.lines, how, 240, True))) if span[1]
    ][-1:]
    whole = drawer.block(how.lines, how, 240, True)
    assert amazon[1] >= whole.width - 3  # the last letter of Amazon is at the right edge
    card = Card(id="c", dialect="x", title="تذكير", blocks=(TextBlock(text=text),))
    for screen in SCREENS:
        for page in fitted(card, screen).card.pages:
            assert {line.style for line in page.lines} <= {"sr"}


def _rows(strip):
    stride = (strip.width + 7) // 8
    rows = (strip.rows[at : at + stride] for at in range(0, len(strip.rows), stride))
    bits = ("".join(f"{byte:08b}" for byte in row)[: strip.width] for row in rows)
    return [row.replace("0", ".").replace("1", "#") for row in bits]


def test_in_a_right_to_left_card_a_name_in_latin_turns_nothing():
    blocks = (TextBlock(text="Samsung را سفارش دادید\n10:00\nhttps only"),)
    [page] = fitted(Card(id="c", dialect="x", title="فاکتور", blocks=blocks)).card.pages
    assert [line.style for line in page.lines] == ["sr", "sr", ""]


def test_a_left_to_right_card_keeps_its_side_whatever_it_quotes():
    blocks = (TextBlock(text="He said שלום and left\nשלום Anna"),)
    [page] = fitted(Card(id="c", dialect="x", title="Note", blocks=blocks)).card.pages
    assert [line.style for line in page.lines] == ["s", "sr"]


def test_thai_letters_that_differ_in_a_loop_are_told_apart_on_the_smallest_screen():
    drawer = Drawer((6, 12))
    for pair in ("นม", "มบ", "ลส", "ขฆ", "ณฌ", "ชซ", "ถภ", "ดต", "ฎฏ"):
        one, other = (drawer.strip(letter, 50).rows for letter in pair)
        assert one != other, pair


def test_marks_above_and_below_have_the_rows_they_need_and_stay_together():
    """Thai vowels with tones above and vowels below: two lines in three rows, never torn."""
    text = "ที่ผู้คนอยู่ใกล้น้ำ ที่ผู้คนอยู่ใกล้น้ำ ที่ผู้คนอยู่ใกล้น้ำ"
    fitted_card = fitted(Card(id="c", dialect="x", title="t", blocks=(TextBlock(text=text),)))
    how = Drawer((6, 12)).paragraph(text, 126, 20, rtl=False)
    assert how.writing.em == 12 and 12 < how.pitch <= 18
    pages = [page for page in fitted_card.card.pages if page.lines]
    assert [len(page.lines) for page in pages][:-1] == [3] * (len(pages) - 1)
    indices = [line.index for page in pages for line in page.lines]
    assert indices == sorted(indices)


@pytest.mark.parametrize("screen", SCREENS)
def test_buttons_and_titles_are_cut_with_an_ellipsis_inside_their_room(screen):
    label = "வெப்பநிலை மற்றும் மழை அளவு விவரங்களைக் காட்டு தயவுசெய்து இப்போதே"
    buttons = (Action(id="go", label=label, kind="message", text="x"),)
    fitted_card = fitted(Card(id="c", dialect="x", title=label, actions=buttons), screen)
    page = fitted_card.card.pages[-1]
    [option] = page.options
    drawn = strips(fitted_card)[option.label.index]
    room = (wire.layout(screen).body.cols - 2) * screen.cell[0]
    assert room * 0.7 < len(drawn[0]) <= room
    dots = islands(drawn)[-3:]
    assert all(last - first <= 1 for first, last in dots)  # …


def test_skin_tones_and_selectors_take_no_cell():
    text = "👍🏽 ok 👩🏾‍🚀 ❤️ 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿"
    blocks = (TextBlock(text=text), TextBlock(text="Done"))
    [page] = fitted(Card(id="c", dialect="x", blocks=blocks)).card.pages
    assert [line.text for line in page.lines] == ["👍 ok 👩🚀 ❤ 1 🏴", "Done"]


def test_a_skin_tone_in_a_drawn_line_is_not_drawn():
    drawn = [
        strips(fitted(Card(id="c", dialect="x", blocks=(TextBlock(text=text),))))
        for text in ("تم 👍 نعم", "تم 👍🏿 نعم")
    ]
    assert drawn[0] == drawn[1] != [[]]


def test_a_script_without_a_font_is_named_instead_of_a_page_of_boxes(caplog):
    tibetan = "ལྷ་སར་དེ་རིང་ཆར་པ་འབབ།"
    with caplog.at_level(logging.WARNING):
        fitted_card = fitted(
            Card(id="c", dialect="x", title="གནམ་གཤིས།", blocks=(TextBlock(text=tibetan),)), PANEL
        )
    [page] = fitted_card.card.pages
    assert page.title == "[Tibetan]"
    assert " ".join(line.text for line in page.lines) == (
        "Text in Tibetan, which this device cannot show."
    )
    assert "no font holds U+0F" in caplog.text


def test_a_few_letters_without_a_font_stay_boxes_and_are_named():
    text = "The word ཆར means rain"
    fitted_card = fitted(Card(id="c", dialect="x", blocks=(TextBlock(text=text),)), PANEL)
    assert [warned.code for warned in fitted_card.warnings] == ["glyph"]
    assert fitted_card.warnings[0].detail == "no glyph for U+0F46 U+0F62"


def test_rows_after_the_first_of_an_item_are_under_its_words():
    """In a drawn line as in one of the device's own."""
    items = (
        ListItem(title="Water the flowers on the balcony", mark="1."),
        ListItem(title="השקו את הפרחים במרפסת הגדולה", mark="2."),
    )
    card = Card(id="c", dialect="x", title="t", blocks=(ListBlock(items=items),))
    fitted_card = fitted(card)
    lines = [line for page in fitted_card.card.pages for line in page.lines]
    assert [line.text for line in lines[:2]] == ["1. Water the flowers", "   on the balcony"]
    first, second = [strips(fitted_card)[line.index] for line in lines[2:]]
    space = Drawer((6, 12)).strip("2. ", 50, rtl=True).width
    edge = len(second[0]) - 1 - islands(second)[-1][1]
    assert len(first[0]) <= 126 and abs(edge - space) <= 3


def test_a_field_in_a_right_to_left_script_stands_at_its_side():
    rows = (("الرصيد", "٣٠٠ د.إ"), ("", "١٠:٤٢"), ("", "10:42"))
    [page] = fitted(
        Card(id="c", dialect="x", title="فاتورة", blocks=(KeyValueBlock(rows=rows),)), PANEL
    ).card.pages
    assert [line.style for line in page.lines] == ["sr", "sr", "sr"]


@pytest.mark.parametrize("screen", SCREENS)
def test_a_long_drawn_text_is_within_the_memory_of_a_device_and_counted(screen):
    blocks = tuple(TextBlock(text=f"{number}. " + REPORTS["Arabic"]) for number in range(100))
    fitted_card = fitted(Card(id="c", dialect="x", title="الطقس", blocks=blocks), screen)
    assert sum(len(blob.data) for blob in fitted_card.blobs) <= 24_576
    assert fitted_card.left_out > 0
    assert fitted_card.card.pages[-1].lines[-1].text == f"+{fitted_card.left_out} more"


def test_a_question_in_any_script_is_drawn_whole_above_its_options():
    question = Question(kind="choice", prompt="هل تريد إلغاء الحجز رقم 1042 في Amazon Cluj غدا؟")
    options = (Action(id="y", label="نعم", kind="message", text="نعم"),)
    card = Card(id="c", dialect="x", title="الحجز", actions=options, question=question)
    page = fitted(card, PANEL).card.pages[-1]
    assert isinstance(page, wire.ChoicePage) and len(page.lines) == 2
    assert {line.style for line in page.lines} == {"sr"}


def test_pictures_without_words_are_one_line_after_the_text_of_a_low_screen():
    picture = ImageBlock(image=ImageRef(url="https://i.example/1.png"))
    card = Card(id="c", dialect="x", title="Trip", blocks=(picture, TextBlock(text="At 9.")))
    for screen, expected in (
        (OLED, ["At 9.", "[picture]"]),
        (PANEL, ["[picture] i.example", "At 9."]),
    ):
        assert [line.text for line in fitted(card, screen).card.pages[0].lines] == expected
    own = ImageRef(url="https://i.example/2.png", alt="Trip")
    both = Card(
        id="c", dialect="x", title="Trip", image=own, blocks=(TextBlock(text="Go."), picture)
    )
    assert [line.text for line in fitted(both, OLED).card.pages[0].lines] == [
        "Go.",
        "[2 pictures]",
    ]
    alone = fitted(Card(id="c", dialect="x", title="Trip", blocks=(picture,)))
    assert [line.text for line in alone.card.pages[0].lines] == ["[picture] i.example"]
