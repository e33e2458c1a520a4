"""A history that cannot be written: one warning, and everything else goes on."""

import asyncio
import resource

from together.brokers import Iotcore
from together.home import LIMIT_S, STEP_S, Home, Person, at
from voxcard.history.store import History


async def replies(history: History, device: str, wanted: str) -> list[str]:
    """What was said on `device`, oldest first, as soon as `wanted` is among it."""
    async with asyncio.timeout(STEP_S):
        while True:
            turns = await asyncio.to_thread(history.turns, device)
            found = [turn.data["reply"] for turn in reversed(turns)]
            if wanted in found:
                return found


def test_a_disk_that_fills_up_costs_the_turns_of_that_time_and_no_card(talk):
    async def conversation(person: Person):
        folder, pid = person.bridge.folder, person.bridge.pid
        history = History(folder / "history.sqlite", 30, 1000)
        card = await person.settle()
        await person.ask("are you there")
        assert await replies(history, person.id, "Yes.") == ["Yes."]
        # No file of the bridge grows beyond what the database's log has now; its own is shorter.
        now = (folder / "history.sqlite-wal").stat().st_size
        assert now > 2 * person.bridge.log.stat().st_size
        warned = person.home.log().count("Turns go on without it.")
        limits = resource.prlimit(pid, resource.RLIMIT_FSIZE, (now, resource.RLIM_INFINITY))
        try:
            for _ in range(2):
                turn = await person.ask("are you sure")
                assert (turn["reply"], turn["error"]) == ("Of course.", "")
            assert person.home.log().count("Turns go on without it.") == warned + 1
        finally:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        await person.ask("are you asleep")
        kept = await replies(history, person.id, "No.")
        # The second of the turns that were missed may have ended with the disk free again.
        assert kept in (["Yes.", "No."], ["Yes.", "Of course.", "No."])
        await person.unharmed(card)
        history.close()

    talk(conversation)


def test_a_history_that_cannot_be_opened_is_told_once_and_missed_by_nobody(tmp_path):
    (tmp_path / "file").write_text("no folder")
    path = {"path": str(tmp_path / "file" / "history.sqlite")}

    async def conversation(person: Person):
        await person.talks()
        outcome = await person.call("bridge.show_last_card")
        assert outcome["is_error"] and "history" in outcome["text"]
        await person.talks()
        log = person.home.log()
        assert log.count("Turns go on without it.") == 1
        assert "Traceback" not in log

    async def limited():
        async with (
            asyncio.timeout(LIMIT_S),
            Home(Iotcore(tmp_path), tmp_path, history=path) as home,
        ):
            await at(home, conversation)

    asyncio.run(limited())
