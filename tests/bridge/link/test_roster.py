"""Who is forgotten when there are more devices than the bridge serves."""

from voxcard.link.roster import Presence, Roster


class Home:
    """A roster of three; `known` are of the home, `talking` said something lately."""

    def __init__(self, *known):
        self.known, self.talking = set(known), set()
        self.roster = Roster(
            is_known=self.known.__contains__, talks=self.talking.__contains__, limit=3
        )

    def put(self, **presences):
        for device_id, presence in presences.items():
            self.roster.put(device_id, Presence[presence])


def test_there_is_room_up_to_the_limit():
    home = Home()
    home.put(a="ABSENT", b="SILENT")
    assert home.roster.has_room() and len(home.roster) == 2 and "a" in home.roster
    home.put(c="SILENT", a="SILENT")
    assert not home.roster.has_room() and len(home.roster) == 3
    home.roster.remove("a")
    assert home.roster.has_room() and "a" not in home.roster


def test_the_longest_away_goes_first():
    home = Home()
    home.put(a="SILENT", b="ABSENT", c="ABSENT")
    assert home.roster.leaver() == "b"
    home.put(b="ABSENT")  # it was heard of again
    assert home.roster.leaver() == "c"


def test_then_the_one_that_has_been_silent_longest():
    home = Home()
    home.put(a="SILENT", b="SILENT", c="SILENT")
    home.talking.add("a")
    assert home.roster.leaver() == "b"


def test_whoever_talks_or_is_of_the_home_stays():
    home = Home("a")
    home.put(a="ABSENT", b="SILENT", c="SILENT")
    home.talking |= {"b", "c"}
    assert home.roster.leaver() is None


def test_whoever_falls_silent_may_go_unless_it_is_of_the_home():
    home = Home("a")
    home.put(a="SILENT", b="SILENT", c="SILENT")
    home.talking |= {"b", "c"}
    assert home.roster.leaver() is None
    home.talking.remove("c")
    home.roster.review()
    assert home.roster.leaver() == "c"
