"""The tool of the microphone: anybody closes it, only a person at the device opens it."""

from settings import Settings
from toolbox import sound as tools
from toolbox.registry import Registry, ToolError

# microphone and wake as set; what is asked for; whether a person is asked; as set then
ROWS = (
    ("on", "off", "off", False, "off", "off"),
    ("on", "on", "off", False, "off", "on"),
    ("on", "on", "button", False, "on", "off"),
    ("on", "off", "button", False, "on", "off"),
    ("on", "on", "wake_word", False, "on", "on"),
    ("on", "off", "wake_word", True, "on", "on"),
    ("off", "off", "button", True, "on", "off"),
    ("off", "on", "button", True, "on", "off"),
    ("off", "on", "wake_word", True, "on", "on"),
    ("off", "on", "off", False, "off", "on"),
)


def device(sound, wake, says):
    """(the tool's function, its settings, the questions); `says` None: there is no screen."""
    settings, questions, registry = Settings(), [], Registry()
    settings.set("microphone", sound)
    settings.set("wake", wake)

    async def confirm(question):
        questions.append(question)
        return says

    tools.install_microphone(registry, settings, settings.set, None if says is None else confirm)
    return registry.find("self.microphone.set_mode").call, settings, questions


async def outcome(call, mode):
    done = call(mode=mode)
    return await done if hasattr(done, "send") else done


async def test_it_opens_with_a_persons_yes_alone():
    for sound, wake, mode, asks, sound_then, wake_then in ROWS:
        call, settings, questions = device(sound, wake, True)
        assert isinstance(await outcome(call, mode), str)
        assert len(questions) == asks, (sound, wake, mode)
        assert (settings.get("microphone"), settings.get("wake")) == (sound_then, wake_then)
        if asks:
            for says in (False, None):
                call, settings, _ = device(sound, wake, says)
                try:
                    await outcome(call, mode)
                    raise AssertionError((sound, wake, mode))
                except ToolError:
                    pass
                assert (settings.get("microphone"), settings.get("wake")) == (sound, wake)
