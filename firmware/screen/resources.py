"""Holds the blobs that cards draw from: strips and images, in RAM or in files."""

from voxwire.errors import WireError

# Strips and small images in RAM; larger images belong in a file.
RAM_BYTES_MAX = 24576
# glyphs and strips of cells; type and smooth: glyphs and pictures of 4 levels.
_KINDS = ("glyphs", "strips", "type", "smooth", "image")


class FileBlob:
    """A blob in a file, read by slices; it looks like bytes to who draws it."""

    def __init__(self, path):
        self._file = open(path, "rb")
        self._bytes = self._file.seek(0, 2)

    def __len__(self):
        return self._bytes

    def __getitem__(self, part):
        self._file.seek(part.start)
        return self._file.read(part.stop - part.start)

    def close(self):
        """Let the file go."""
        self._file.close()


class Resources:
    """Blobs by id; glyph batches go to `glyphs`. `say(text)` is called with what has no room."""

    def __init__(self, glyphs, say, faces=None):
        self._glyphs, self._say, self._faces = glyphs, say, faces
        self._blobs = {}
        self._sizes = []  # (id, bytes) of those in RAM, the oldest first
        self._fresh = set()

    def add(self, blob_id, kind, data):
        """Take a whole blob: bytes, or the path of a file that holds an image.

        Older ones make room. Without enough, glyphs and strips are left away and their card is
        drawn with boxes. WireError for an image without room, a kind no card draws from, or a
        broken batch.
        """
        if kind not in _KINDS or (kind == "type" and self._faces is None):
            raise WireError("blob.kind", "is nothing a card draws from")
        self._forget(blob_id)
        if isinstance(data, str):
            self._blobs[blob_id] = FileBlob(data)
        elif self._make_room(len(data)):
            if kind == "glyphs":
                self._glyphs.add_batch(blob_id, data)
            elif kind == "type":
                self._faces.add_batch(blob_id, data)
            else:
                self._blobs[blob_id] = memoryview(data)
            self._sizes.append((blob_id, len(data)))
        elif kind == "image":
            raise WireError("blob.size", "is more than the screen has room for")
        else:
            self._say("no room for %d bytes of %s: boxes stand for them" % (len(data), kind))
            return
        self._fresh.add(blob_id)

    def get(self, blob_id):
        """The blob's content, sliceable; None when it is not here."""
        return self._blobs.get(blob_id)

    def keep(self, blob_ids):
        """Forget the blobs of cards that are gone; those that just came may wait for theirs."""
        needed = set(blob_ids) | self._fresh
        self._fresh = set()
        gone = [blob_id for blob_id in self._blobs if blob_id not in needed]
        gone += [blob_id for blob_id, _ in self._sizes if blob_id not in needed]
        for blob_id in gone:
            self._forget(blob_id)

    def _make_room(self, size):
        """Forget the oldest that are no newer card's; whether there is room for `size` bytes."""
        taken = sum([each for _, each in self._sizes])
        for blob_id, each in list(self._sizes):
            if taken + size <= RAM_BYTES_MAX:
                break
            if blob_id not in self._fresh:
                self._forget(blob_id)
                taken -= each
        return taken + size <= RAM_BYTES_MAX

    def _forget(self, blob_id):
        data = self._blobs.pop(blob_id, None)
        if isinstance(data, FileBlob):
            data.close()
        self._glyphs.drop_batch(blob_id)
        if self._faces is not None:
            self._faces.drop_batch(blob_id)
        self._sizes = [each for each in self._sizes if each[0] != blob_id]
