"""Holds the blobs that cards draw from: strips and images, also such as are still to come."""

from voxwire.errors import WireError

# Strips, glyphs and small images together.
RAM_BYTES_MAX = 24576
# glyphs and strips of cells; type and smooth: glyphs and pictures of 4 levels.
_KINDS = ("glyphs", "strips", "type", "smooth", "image")
PICTURES = 2  # of a card, on a board with memory for large ones


class Resources:
    """Blobs by id; glyph batches go to `glyphs`. `say(text)` is called with what has no room.

    With `picture_bytes` images have room of their own: PICTURES of so many bytes.
    """

    def __init__(self, glyphs, say, faces=None, picture_bytes=0):
        self._glyphs, self._say, self._faces = glyphs, say, faces
        self._picture_bytes = picture_bytes
        self._blobs = {}
        self._sizes = []  # (id, bytes, kind), the oldest first
        self._fresh = set()
        self._come = {}  # id: (the image, how many bytes of it have come)
        self._undrawn = {}  # id: (first, last) bytes of an image that came since `take_spans`

    def add(self, blob_id, kind, data):
        """Take a whole blob; older ones make room.

        Without enough, glyphs and strips are left away and their card is drawn with boxes.
        WireError for an image without room, a kind no card draws from, or a broken batch.
        """
        if kind not in _KINDS or (kind == "type" and self._faces is None):
            raise WireError("blob.kind", "is nothing a card draws from")
        if self._come.get(blob_id, (None,))[0] is data:
            self.arrive(blob_id, data, len(data))
            del self._come[blob_id]
            return
        self._forget(blob_id)
        if not self._make_room(len(data), kind):
            if kind == "image":
                raise WireError("blob.size", "is more than the screen has room for")
            self._say("no room for %d bytes of %s: boxes stand for them" % (len(data), kind))
            return
        if kind == "glyphs":
            self._glyphs.add_batch(blob_id, data)
        elif kind == "type":
            self._faces.add_batch(blob_id, data)
        else:
            self._blobs[blob_id] = memoryview(data)
            if kind == "image":
                self._undrawn[blob_id] = (0, len(data))
        self._sizes.append((blob_id, len(data), kind))
        self._fresh.add(blob_id)

    def arrive(self, blob_id, data, count):
        """Take an image of which the first `count` bytes have come; WireError without room."""
        image, before = self._come.get(blob_id, (None, 0))
        if image is not data:
            before = 0
            self.add(blob_id, "image", data)
            self._undrawn[blob_id] = (0, 0)
        self._come[blob_id] = (data, count)
        self._undrawn[blob_id] = (self._undrawn.get(blob_id, (before,))[0], count)

    def get(self, blob_id):
        """The blob's content, sliceable; None when it is not here."""
        return self._blobs.get(blob_id)

    def count(self, blob_id):
        """How many bytes of a blob that is here have come."""
        come = self._come.get(blob_id)
        return come[1] if come else len(self._blobs[blob_id])

    def take_spans(self, items):
        """[(top, bottom), ...] rows of the images among `items` that came since the last call."""
        spans = []
        for item in items:
            if item.kind == "image" and item.what in self._undrawn:
                first, last = self._undrawn[item.what]
                size = len(self._blobs[item.what])
                # A palette before the rows is less than a row.
                top = max(0, first * item.height // size - 1)
                spans.append((item.y + top, item.y + last * item.height // size))
        self._undrawn = {}
        return spans

    def keep(self, blob_ids):
        """Forget the blobs of cards that are gone; those that just came may wait for theirs."""
        needed = set(blob_ids) | self._fresh
        self._fresh = set()
        for blob_id in [each[0] for each in self._sizes if each[0] not in needed]:
            self._forget(blob_id)

    def _make_room(self, size, kind):
        """Forget the oldest that are no newer card's; whether there is room for `size` bytes."""
        limit, beside = RAM_BYTES_MAX, self._sizes
        if self._picture_bytes:
            pictures = kind == "image"
            beside = [each for each in beside if (each[2] == "image") == pictures]
            if pictures:
                limit = PICTURES * self._picture_bytes
        taken = sum([each[1] for each in beside])
        for blob_id, each, _ in list(beside):
            if taken + size <= limit:
                break
            if blob_id not in self._fresh:
                self._forget(blob_id)
                taken -= each
        return taken + size <= limit

    def _forget(self, blob_id):
        for blobs in (self._blobs, self._come, self._undrawn):
            blobs.pop(blob_id, None)
        self._glyphs.drop_batch(blob_id)
        if self._faces is not None:
            self._faces.drop_batch(blob_id)
        self._sizes = [each for each in self._sizes if each[0] != blob_id]
