"""Words of English that rules of saying it look for."""

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
SHORT_MONTHS = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Sept": 9,
    "Oct": 10, "Nov": 11, "Dec": 12,
}  # fmt: skip
WEEKDAYS = {
    "Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday",
    "Thu": "Thursday", "Thur": "Thursday", "Thurs": "Thursday", "Fri": "Friday",
    "Sat": "Saturday", "Sun": "Sunday",
}  # fmt: skip
# An abbreviation before its full stop -> what is said, before what it is one.
BEFORE_NAMES = {
    "Dr": "Doctor", "St": "Saint", "Mt": "Mount", "Ft": "Fort", "Gen": "General",
    "Col": "Colonel", "Sgt": "Sergeant", "Capt": "Captain", "Lt": "Lieutenant",
    "Rev": "Reverend", "Hon": "Honorable", "Gov": "Governor", "Sen": "Senator",
}  # fmt: skip
AFTER_NAMES = {
    "St": "Street", "Dr": "Drive", "Ave": "Avenue", "Blvd": "Boulevard", "Rd": "Road",
    "Ln": "Lane", "Sq": "Square", "Jr": "Junior", "Sr": "Senior", "Inc": "Incorporated",
    "Ltd": "Limited", "Co": "Company", "Corp": "Corporation",
}  # fmt: skip
BEFORE_NUMBERS = {
    "No": "number", "no": "number", "Nos": "numbers", "nos": "numbers", "Nr": "number",
    "nr": "number", "fig": "figure",
    "Fig": "Figure", "figs": "figures", "p": "page", "pp": "pages", "vol": "volume",
    "Vol": "Volume", "ch": "chapter", "Ch": "Chapter", "min": "minimum", "Min": "Minimum",
    "max": "maximum", "Max": "Maximum", "ca": "about", "c": "about", "art": "article",
    "sec": "section", "Sec": "Section",
}  # fmt: skip
ANYWHERE = {
    "Mr": "Mister", "Mrs": "Missus", "Ms": "Ms", "Prof": "Professor", "etc": "et cetera",
    "approx": "approximately", "Approx": "Approximately", "vs": "versus", "dept": "department",
    "Apt": "Apartment", "Dept": "Department", "est": "established", "incl": "including",
    "excl": "excluding", "max": "maximum", "Max": "Maximum", "temp": "temperature",
    "Temp": "Temperature", "hrs": "hours", "mins": "minutes", "secs": "seconds", "lbs": "pounds",
}  # fmt: skip
# Said so without a full stop too.
PLAIN = {
    "vs": "versus", "Jr": "Junior", "WHO": "W H O",
    "WWI": "World War one", "WWII": "World War two", "IT": "I T", "tbsp": "tablespoons",
    "tsp": "teaspoons",
}  # fmt: skip
# Letters with full stops between them; the last stop is theirs.
INITIALS = {
    "e.g.": "for example", "i.e.": "that is", "a.m.": "a.m", "p.m.": "p.m", "p.a.": "per annum",
}  # fmt: skip
# fmt: off
RULERS = frozenset((
    "louis", "henry", "elizabeth", "charles", "george", "james", "william", "edward",
    "richard", "paul", "benedict", "pius", "philip", "frederick", "wilhelm", "catherine",
    "peter", "ivan", "nicholas", "alexander", "leo", "francis", "gregory", "napoleon",
    "john", "ramses", "otto", "ludwig",
))
PARTS = frozenset((
    "war", "part", "chapter", "act", "phase", "type", "level", "class", "book", "volume",
    "section", "article", "bowl", "mark", "stage", "grade",
))
# A number of four digits and more after these names something.
IDENTIFIED = frozenset((
    "order", "code", "pin", "flight", "ticket", "invoice", "account", "parcel", "booking",
    "reference", "id",
))
SPELLED = frozenset(("code", "pin"))  # digit by digit, however short
BETWEEN_ID_AND_NUMBER = frozenset(("number", "no", "id", "is", ".", ":", "#"))
ROOMS = frozenset(("room", "suite", "apartment", "flight", "bus", "highway"))
DIALLED = frozenset(("call", "dial", "phone", "ring"))
# A number of four digits after these is a year, unless it counts what follows.
BEFORE_YEARS = frozenset((
    "in", "since", "until", "till", "before", "after", "during", "year", "of", "from", "by",
    "between", "the", "early", "late", "mid", "spring", "summer", "autumn", "fall", "winter",
    "©", "copyright",
))
BEFORE_DATES = frozenset(("on", "by", "until", "since", "due", "before", "after"))
# fmt: on
# What something is paid or counted by: "$5/month".
PER = {"mo": "month", "hr": "hour", "h": "hour", "yr": "year", "min": "minute", "s": "second"}
TOP_DOMAINS = "com|org|net|edu|gov|io|dev|app|local|info|example|co|uk|de|fr|es|it|nl|eu|ch|at"
