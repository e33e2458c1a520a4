"""Shows the page to browsers of this computer."""

import functools
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PORT = 8017


class _Handler(SimpleHTTPRequestHandler):
    # A computer's own table may know other types, and a browser runs no script of a wrong one.
    extensions_map = {  # noqa: RUF012 - as the base class has it
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".css": "text/css",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        "": "application/octet-stream",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of `folder` on loopback alone; port 0 chooses a free one."""
    return ThreadingHTTPServer(
        ("127.0.0.1", port), functools.partial(_Handler, directory=str(folder))
    )


def serve(folder: Path, port: int) -> None:
    """Serve until Ctrl-C."""
    with server(folder, port) as running:
        print(f"http://localhost:{running.server_port} (Ctrl-C ends it)", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()
