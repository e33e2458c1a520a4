"""The problems of a home: each is logged once, and is over in time or when it is cleared."""

import logging

from voxcard.link.problems import PROBLEMS_MAX, Problems


def test_a_problem_is_logged_once_and_its_end_too(caplog):
    problems = Problems(lambda: 0.0)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            problems.set("access", "The broker refuses.")
        assert problems.all() == ("The broker refuses.",)
        problems.clear("access")
        problems.clear("access")
        assert problems.all() == ()
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "The broker refuses."),
        ("INFO", "no longer: The broker refuses."),
    ]


def test_a_problem_may_be_over_by_itself():
    now_s = [0.0]
    problems = Problems(lambda: now_s[0])
    problems.set("twins", "Two.", for_s=10.0)
    now_s[0] = 5.0
    problems.set("twins", "Two.", for_s=10.0)
    now_s[0] = 14.9
    assert problems.all() == ("Two.",)
    now_s[0] = 15.0
    assert problems.all() == ()


def test_a_problem_that_is_told_in_other_words_is_logged_again(caplog):
    problems = Problems(lambda: 0.0)
    for text in ("B.", "A.", "A.", "B."):
        problems.set("access", text)
    assert caplog.messages == ["B.", "A.", "B."]


def test_a_problem_is_over_whenever_it_is_looked_at_after_its_time():
    now_s = [0.0]
    problems = Problems(lambda: now_s[0])
    problems.set("twins", "Two.", for_s=10.0)
    now_s[0] = 99.0
    assert problems.all() == ()


def test_no_more_are_kept_than_a_person_reads():
    problems = Problems(lambda: 0.0)
    for index in range(PROBLEMS_MAX + 10):
        problems.set(index, f"Problem {index}.")
    assert len(problems.all()) == PROBLEMS_MAX
