"""Numbers and dates in texts of languages without rules of their own."""

import pytest
from voxcard.assistants.spoken.verbalise import spoken


@pytest.mark.parametrize(
    ("locale", "text", "said"),
    [
        ("de", "Es sind 21.5 Grad.", "Es sind 21,5 Grad."),
        ("de", "Am 2026-05-04 um 9:41.", "Am 4. Mai 2026 um 9:41."),
        ("de-CH", "Es sind 21.5 Grad.", "Es sind 21.5 Grad."),
        ("fr", "Il fait 21.5 degrés.", "Il fait 21,5 degrés."),
        ("ko", "2026-05-04", "2026년 5월 4일"),
        ("de", "2026-13-40", "2026-13-40"),
        ("de", "Version 1.2.3 von 10.0.0.1", "Version 1.2.3 von 10.0.0.1"),
        ("de", "Bestellung 1042 für Küche-2026-05-04", "Bestellung 1042 für Küche-2026-05-04"),
        ("de", "Es ist 20.30 Uhr?", "Es ist 20,30 Uhr?"),
        ("tlh", "1.5", "1.5"),
    ],
)
def test_fractions_and_iso_dates_are_written_as_people_there_do(locale, text, said):
    assert spoken(text, locale) == said
