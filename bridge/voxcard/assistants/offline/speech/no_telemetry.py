"""Keeps the libraries of local speech from calling home: offline means offline."""

import os

# onnxruntime (1.29 and newer, docs/Privacy.md) sends usage events over HTTPS and writes a device
# id unless this is set before it is first imported; huggingface_hub looks models up on a hub.
_ENVIRONMENT = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}


def keep_quiet() -> None:
    """Call before the first import of a speech library."""
    os.environ.update(_ENVIRONMENT)
