"""Tools that hang, die, crash or show a card they may not: a sentence, and a ready device."""

import asyncio

from together.home import Person, at

HANGS = "The tool did not answer within 5 seconds. Try again in a moment."
DIES = "The tool server faulty stopped before it answered. Try again in a moment."
# What is asked, and the sentence that is spoken when the tool behind it fails.
FAILURES = [
    ("hang for a while", HANGS),
    ("divide by zero", "That did not work."),
    ("take a photo", "The camera gave no picture. Try again."),
]


def test_a_tool_that_fails_is_told_in_a_sentence_that_a_person_understands(runner, home, tmp_path):
    def fails(question: str, sentence: str):
        async def conversation(person: Person):
            await person.bridge.tools(person.id, "faulty.hang")
            card = await person.settle()
            turn = await person.ask(question)
            assert (turn["reply"], turn["error"]) == (sentence, "")
            assert [call["is_error"] for call in turn["tools"]] == [True]
            await person.unharmed(card)

        return at(home, conversation, photo=str(tmp_path / "missing.jpg"))

    async def side_by_side():
        await asyncio.gather(*(fails(*row) for row in FAILURES))

    runner.run(side_by_side())
    assert f": faulty.hang failed: {HANGS}" in home.log()


def test_a_server_that_dies_in_mid_conversation_is_told_and_comes_back(talk):
    async def conversation(person: Person):
        await person.bridge.tools(person.id, "faulty.die")
        card = await person.settle()
        turn = await person.ask("die at once")
        assert (turn["reply"], turn["error"]) == (DIES, "")
        assert "tool server faulty: restarting: " in person.home.log()
        await person.unharmed(card)
        turn = await person.ask("where is my parcel")
        assert turn["reply"] == "Your parcel is at the door."

    talk(conversation)


def test_a_card_that_breaks_a_rule_is_dropped_and_its_text_spoken(talk):
    async def conversation(person: Person):
        await person.bridge.tools(person.id, "faulty.parcel")
        card = await person.settle()
        turn = await person.ask("where is my parcel")
        assert (turn["reply"], turn["cards"]) == ("Your parcel is at the door.", [])
        assert "card of faulty.parcel: " in person.home.log()
        await person.unharmed(card)

    talk(conversation)
