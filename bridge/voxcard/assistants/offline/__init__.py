"""The assistant that needs no network."""

from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.settings import OfflineSettings

__all__ = ["Offline", "OfflineSettings"]
