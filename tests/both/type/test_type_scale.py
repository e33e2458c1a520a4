"""Which faces a panel has, and how high their capitals are to the eye."""

from voxwire.type import scale

# width, height, shape, pitch in um; what the boards have.
PANELS = (
    (240, 240, "rect", 98),
    (240, 240, "rect", 115),
    (240, 240, "round", 135),
    (320, 240, "rect", 152),
    (320, 240, "rect", 127),
    (240, 320, "rect", 177),
    (170, 320, "rect", 133),
    (360, 360, "round", 131),
)
NARROW = (80, 160, "rect", 135)


def um(panel, face):
    return scale.cap_px(face) * panel[3]


def test_body_capitals_are_16_minutes_of_arc_and_captions_12():
    for panel in PANELS:
        sizes = scale.scale(scale.Panel(*panel))
        assert 1860 <= um(panel, sizes.body) <= 2560, panel
        assert 1396 <= um(panel, sizes.caption) <= um(panel, sizes.body), panel


def test_the_levels_of_a_page_are_told_apart_by_size():
    for panel in PANELS:
        caption, body, title, headline, hero, icon, picture = map(
            scale.cap_px, scale.scale(scale.Panel(*panel))
        )
        assert caption < body == title, panel
        assert headline * 10 >= body * 13 and hero * 10 >= headline * 15, panel
        assert body < icon <= body * 3 // 2 and hero * 9 <= picture * 10, panel


def test_a_narrow_panel_has_the_largest_type_of_which_12_letters_fit():
    body = scale.cap_px(scale.scale(scale.Panel(*NARROW)).body)
    # 0.55 em a letter, capitals 0.7275 em high.
    assert body * 55 * 12 <= 80 * 73 < (body + 1) * 55 * 12


def test_a_person_may_choose_smaller_and_larger_type():
    for panel in PANELS + (NARROW,):
        panel = scale.Panel(*panel)
        small, normal, large = [
            scale.cap_px(scale.scale(panel, size).body) for size in scale.SIZES
        ]
        assert small <= normal < large, panel


def test_a_panel_that_does_not_say_its_pitch_has_the_usual_one_of_its_size():
    assert scale.pitch_um(scale.Panel(240, 240, "rect", 0)) == 98
    assert scale.pitch_um(scale.Panel(240, 240, "round", 0)) == 135
    assert scale.pitch_um(scale.Panel(240, 240, "rect", 115)) == 115
    assert scale.pitch_um(scale.Panel(999, 333, "rect", 0)) == 130


def test_every_face_has_a_file_and_all_of_a_panel_have_one_index():
    for panel in PANELS:
        panel = scale.Panel(*panel)
        faces = scale.faces(panel)
        assert len(faces) == len(set(faces)) <= 32
        for size in scale.SIZES:
            for face in scale.scale(panel, size):
                assert face in faces and face in scale.KNOWN
