"""The mailbox between two tasks."""

import asyncio

from link.mailbox import Mailbox


def test_items_come_out_in_their_order():
    box = Mailbox(3)
    for round_ in range(3):
        assert box.put(round_) and box.put("b")
        assert len(box) == 2
        assert [box.take(), box.take()] == [round_, "b"]


def test_a_full_mailbox_refuses():
    box = Mailbox(2)
    assert [box.put(n) for n in (1, 2, 3)] == [True, True, False]
    assert [box.take(), box.take(), len(box)] == [1, 2, 0]


def test_taking_from_an_empty_mailbox_is_an_index_error():
    try:
        Mailbox(1).take()
    except IndexError as error:
        assert str(error) == "empty mailbox"
    else:
        raise AssertionError("took something")


def test_clear_throws_everything_away():
    box = Mailbox(2)
    box.put(1)
    box.put(2)
    box.clear()
    assert len(box) == 0 and box.put(3) and box.take() == 3


async def test_get_waits_for_an_item():
    box, got = Mailbox(2), []

    async def reader():
        while True:
            got.append(await box.get())

    task = asyncio.create_task(reader())
    await asyncio.sleep_ms(0)
    assert got == []
    box.put("a")
    box.put("b")
    await asyncio.sleep_ms(0)
    await asyncio.sleep_ms(0)
    assert got == ["a", "b"]
    box.put("c")
    await asyncio.sleep_ms(0)
    await asyncio.sleep_ms(0)
    assert got == ["a", "b", "c"]
    task.cancel()
