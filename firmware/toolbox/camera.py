"""The tool of the camera: only on a call, with consent, and with a sign that everybody sees."""

from toolbox.display import picture_block
from toolbox.registry import Content, ToolError, string


def _is_jpeg(picture) -> bool:
    # A sensor that has just started gives empty frames, and frames without their beginning.
    head = bytearray(2)
    if len(picture) <= len(head):
        return False
    picture.read(0, memoryview(head))
    return head == b"\xff\xd8"


def install(registry, camera, settings, sign, send_picture) -> None:
    """Declare it; `sign(on)` shows that the camera looks.

    `send_picture(kind, name, picture)` is awaited for the id of a blob on its way.
    """

    async def send() -> int:
        sign(True)
        try:
            picture = await camera.capture()
        finally:
            sign(False)
        try:
            if not _is_jpeg(picture):
                raise ToolError("The camera gave no picture. Try again.")
            return await send_picture("photo", "photo.jpg", picture)
        finally:
            picture.close()

    @registry.tool(
        "self.camera.take_photo",
        "Take a photo with the device's camera and look at it.",
        question=string(200, "what to look for in the photo", default=""),
    )
    async def take_photo(question):
        if settings.get("camera") != "on":
            raise ToolError("The camera is switched off: set camera to on in the settings.")
        try:
            blob = await send()
        except OSError as error:
            raise ToolError("The camera gave no picture (%s). Try again." % error)
        except MemoryError:
            raise ToolError("The photo could not be taken: not enough memory. Try again later.")
        text = "The photo was taken."
        if question:
            text += " The question was: " + question
        return Content([picture_block(blob, "image/jpeg"), {"type": "text", "text": text}], None)
