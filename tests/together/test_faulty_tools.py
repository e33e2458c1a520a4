"""Tools that hang, die, crash or show a card they may not: a sentence, and a ready device."""

from together.home import Person


async def said(person: Person, text: str) -> str:
    """What is spoken for `text` in a turn that ends well, with the device idle after it."""
    await person.bridge.tools(person.id, "faulty.hang")
    turn = await person.ask(text)
    assert turn["error"] == ""
    await person.idle()
    return turn["reply"]


def test_a_tool_that_hangs_is_given_up_with_a_sentence(talk):
    async def conversation(person: Person):
        card = await person.settle()
        reply = "The tool did not answer within 1 seconds. Try again in a moment."
        assert await said(person, "hang for a while") == reply
        assert f"{person.id}: faulty.hang failed: {reply}" in person.home.log()
        await person.unharmed(card)

    talk(conversation)


def test_a_server_that_dies_in_mid_conversation_is_told_and_comes_back(talk):
    async def conversation(person: Person):
        card = await person.settle()
        assert await said(person, "die at once") == (
            "The tool server faulty stopped before it answered. Try again in a moment."
        )
        assert "tool server faulty: restarting: " in person.home.log()
        await person.unharmed(card)
        assert await said(person, "where is my parcel") == "Your parcel is at the door."

    talk(conversation)


def test_what_a_tool_raises_is_not_read_aloud(talk):
    async def conversation(person: Person):
        assert await said(person, "divide by zero") == "That did not work."

    talk(conversation)


def test_a_card_that_breaks_a_rule_is_dropped_and_its_text_spoken(talk):
    async def conversation(person: Person):
        card = await person.settle()
        await person.bridge.tools(person.id, "faulty.parcel")
        turn = await person.ask("where is my parcel")
        assert (turn["reply"], turn["cards"]) == ("Your parcel is at the door.", [])
        assert "card of faulty.parcel: " in person.home.log()
        assert "javascript" not in turn["reply"]
        await person.idle()
        await person.unharmed(card)

    talk(conversation)


def test_a_photo_that_the_camera_cannot_take_is_a_sentence(talk, tmp_path):
    async def conversation(person: Person):
        turn = await person.ask("take a photo")
        assert turn["reply"] == "The camera gave no picture. Try again."
        await person.idle()

    talk(conversation, photo=str(tmp_path / "missing.jpg"))
