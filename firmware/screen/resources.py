"""Holds the blobs that cards draw from: strips and images, in RAM or in files."""

from voxwire.errors import WireError

# Strips and small images in RAM; larger images belong in a file.
RAM_BYTES_MAX = 24576


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
    """Blobs by id; glyph batches go to `glyphs`."""

    def __init__(self, glyphs):
        self._glyphs = glyphs
        self._blobs = {}
        self._fresh = set()

    def add(self, blob_id, kind, data):
        """Take a whole blob: bytes, or the path of a file that holds an image.

        WireError for a kind no card draws from, a broken batch, or when there is no room.
        """
        if kind not in ("glyphs", "strips", "image"):
            raise WireError("blob.kind", "is nothing a card draws from")
        if isinstance(data, str):
            data = FileBlob(data)
        elif self._ram_bytes() + len(data) > RAM_BYTES_MAX:
            raise WireError("blob.size", "is more than the screen has room for")
        self._fresh.add(blob_id)
        if kind == "glyphs":
            self._glyphs.add_batch(blob_id, data)
        else:
            self._blobs[blob_id] = data if isinstance(data, FileBlob) else memoryview(data)

    def get(self, blob_id):
        """The blob's content, sliceable; None when it is not here."""
        return self._blobs.get(blob_id)

    def keep(self, blob_ids):
        """Forget the blobs of cards that are gone; those that just came may wait for theirs."""
        needed = set(blob_ids) | self._fresh
        self._fresh = set()
        for blob_id in list(self._blobs):
            if blob_id not in needed:
                data = self._blobs.pop(blob_id)
                if isinstance(data, FileBlob):
                    data.close()
        self._glyphs.keep_batches(needed)

    def _ram_bytes(self):
        total = self._glyphs.batch_bytes()
        for data in self._blobs.values():
            if not isinstance(data, FileBlob):
                total += len(data)
        return total
