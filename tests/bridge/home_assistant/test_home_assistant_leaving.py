"""A turn that is left, at any moment, leaves nothing behind: no task, no run, no subscription."""

import asyncio
import gc
import itertools

from fakes import speech
from fakes.home_assistant.run import answers
from fakes.home_assistant.server import HomeServer
from fakes.home_assistant.talk import QUESTION, Talk, open_microphone, texts
from voxcard.assistants import Media, Transcript

ANSWER = "It is on."


def run(conversation):
    async def limited():
        async with asyncio.timeout(60):
            await conversation()

    asyncio.run(limited())


async def _idle(server, talk, tasks):
    """Nothing is left of the turns: here, and there."""
    assert texts(await talk.ask("still there")) == [ANSWER]  # whatever was sent before has come
    (client,) = server.clients
    while client.runs or any(client.handlers):  # noqa: ASYNC110 - the stand-in's tasks
        await asyncio.sleep(0.001)
    connection = talk.assistant._home.link._live
    assert not connection._pending and not connection._subscribed
    left = {task.get_name() for task in asyncio.all_tasks()} & {
        "Home Assistant microphone",
        "Home Assistant prepare",
    }
    assert not left and len(asyncio.all_tasks()) <= tasks


def test_a_turn_closed_after_any_of_its_parts_leaves_nothing():
    async def conversation():
        async with HomeServer(answers(ANSWER)) as server, Talk(server) as talk:
            await talk.ask("hello")
            tasks = len(asyncio.all_tasks())
            for count in range(5):
                turn = talk.turn(audio=open_microphone())
                async for part in _first(turn, count):
                    assert part
                await turn.aclose()
                await _idle(server, talk, tasks)
            assert server.logins == [True]

    run(conversation)


async def _first(parts, count):
    for _ in range(count):
        yield await anext(parts)


def test_a_turn_cancelled_at_any_await_leaves_nothing():
    async def conversation():
        async with HomeServer(answers(ANSWER)) as server, Talk(server) as talk:
            await talk.ask("hello")
            tasks = len(asyncio.all_tasks())
            for steps in itertools.count():
                task = asyncio.create_task(_all(talk.turn(audio=speech.microphone(QUESTION))))
                for _ in range(steps * 3):
                    await asyncio.sleep(0)
                ended = task.done()
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await _idle(server, talk, tasks)
                if ended:
                    break
            assert steps > 5 and server.logins == [True]

    run(conversation)


async def _all(turn):
    return [part async for part in turn]


def test_barge_in_cancels_the_run_there():
    """The answer is cut off while its agent still works; the next question is its own run."""

    async def script(run):
        await run.start()
        await run.listen("tell me everything")
        await run.event("intent-start")
        await run.cancelled.wait()

    async def conversation():
        async with HomeServer(script, answers(ANSWER)) as server, Talk(server) as talk:
            turn = talk.turn(audio=open_microphone())
            while not isinstance(await anext(turn), Transcript):
                pass
            waiting = asyncio.create_task(anext(turn))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            await turn.aclose()
            await server.runs[0].cancelled.wait()
            assert texts(await talk.ask("hello")) == [ANSWER]
            # What was cut off belongs to the same talk.
            talks = [each.request.get("conversation_id") for each in server.runs]
            assert talks == [None, server.runs[0].conversation_id]

    run(conversation)


def test_a_run_left_before_it_was_accepted_is_cancelled():
    async def conversation():
        accept = asyncio.Event()
        async with HomeServer(answers(ANSWER)) as server, Talk(server) as talk:
            await talk.ask("hello")
            (client,) = server.clients
            plain = client.run

            async def slowly(data):
                await accept.wait()
                await plain(data)

            client.run = slowly
            task = asyncio.create_task(_all(talk.turn("left")))
            while server.commands[-1].get("input") != {"text": "left"}:  # noqa: ASYNC110
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            client.run = plain
            accept.set()
            await _idle(server, talk, len(asyncio.all_tasks()))
            unsubscribed = [each.get("subscription") for each in server.commands]
            assert server.runs[1].request["id"] in unsubscribed

    run(conversation)


def test_closing_a_talk_ends_its_preparation():
    async def conversation():
        async with HomeServer(answers(ANSWER)) as server, Talk(server) as talk:
            talk.conversation.prepare()
            task = talk.conversation._task
            await talk.conversation.close()
            assert task.done()
            await talk.conversation.close()
            assert [each async for each in talk.conversation.begun()] == []

    run(conversation)


def test_two_hundred_turns_leave_no_growth():
    async def conversation():
        async with HomeServer(answers(ANSWER)) as server, Talk(server) as talk:
            await talk.ask("hello")
            tasks = len(asyncio.all_tasks())
            sizes = []
            for count in range(200):
                parts = await (talk.ask("hello") if count % 4 else talk.ask_aloud())
                assert sum(isinstance(part, Media) for part in parts) == 1
                if count in (99, 199):
                    server.runs.clear(), server.commands.clear()
                    await _idle(server, talk, tasks)
                    server.runs.clear(), server.commands.clear()
                    gc.collect()
                    sizes.append(sum(_ours(each) for each in gc.get_objects()))
            assert sizes[1] <= sizes[0] + 3
            # There nothing is left either: a run that is over stays subscribed until it is said.
            (client,) = server.clients
            assert client.runs == {} and server.logins == [True]

    run(conversation)


def _ours(thing):
    return str(type(thing).__module__).startswith("voxcard.assistants.home_assistant")
