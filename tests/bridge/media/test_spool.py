"""Bytes from the loop to a reading thread."""

import threading

from voxcard.media import spool as spool_module
from voxcard.media.spool import Spool, Stalled


def in_thread(function):
    """(the thread, what `function` returned)."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    return thread, results


def test_a_reader_gets_what_has_come_and_waits_for_more():
    spool = Spool()
    spool.put(b"abc")
    assert (spool.read(2), spool.read(9)) == (b"ab", b"c")
    thread, results = in_thread(lambda: (spool.read(4), spool.read(4)))
    spool.put(b"de")
    spool.end()
    thread.join()
    assert results == [(b"de", b"")]


def test_the_head_is_looked_at_without_being_read():
    spool = Spool()
    thread, results = in_thread(lambda: spool.head(4))
    spool.put(b"ab")
    spool.put(b"cdef")
    thread.join()
    assert results == [b"abcd"] and spool.read(2) == b"ab"
    spool.end()
    assert spool.head(100) == b"abcdef"


def test_closing_wakes_a_reader():
    spool = Spool()
    thread, results = in_thread(lambda: spool.read(4))
    spool.close()
    thread.join()
    assert results == [b""]


def test_one_may_seek_only_in_a_whole_file():
    spool = Spool()
    assert not spool.seekable()
    spool.put(b"abcdef")
    thread, _ = in_thread(spool.wait_whole)
    spool.end()
    thread.join()
    assert spool.seekable() and spool.readable()
    assert spool.seek(-2, 2) == 4 and spool.read(9) == b"ef"
    assert spool.seek(1) == 1 and spool.seek(1, 1) == 2 and spool.tell() == 2
    assert spool.seek(-9) == 0 and spool.seek(99) == 6


def test_what_stops_coming_is_over_and_says_so(monkeypatch):
    monkeypatch.setattr(spool_module, "WAIT_S", 0.01)
    spool = Spool()
    spool.put(b"a")
    assert (spool.read(1), spool.read(1)) == (b"a", b"")
    assert isinstance(spool.error, Stalled)


def test_the_first_error_counts():
    spool = Spool()
    spool.end(Stalled("First.", ""))
    spool.end(Stalled("Second.", ""))
    assert str(spool.error) == "First."
