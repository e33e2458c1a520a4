"""A board that is a program: MicroPython's unix port behind a serial line, with files of its own.

As on a board: Ctrl-C ends the program, Ctrl-D in the raw REPL starts the interpreter anew without
main.py, `machine.reset()` is a start with it, the power can go at any byte. NVS is a file that the
device does not see. What it cannot show is in README and docs/flashing.md.
"""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import termios
import threading
import tty
from pathlib import Path

from voxcard.sim import interpreter

RESET_STATUS = 82
ROOT = Path(__file__).parents[3]
_RESET = "\0reset\0"  # what a program says at its end that asks for a reset
# The flash: a littlefs in a file of the computer, as the port's own partition.
_FLASH = """
import vfs, os, sys, json
class _Blocks:
    SIZE = 4096
    def __init__(self, path):
        self.file = open(path, 'r+b')
        self.count = self.file.seek(0, 2) // self.SIZE
    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * self.SIZE + offset)
        self.file.readinto(buffer)
    def writeblocks(self, block, buffer, offset=0):
        self.file.seek(block * self.SIZE + offset)
        self.file.write(buffer)
    def ioctl(self, request, argument):
        return {{4: self.count, 5: self.SIZE, 6: 0}}.get(request)
_blocks = _Blocks({flash!r})
try:
    _files = vfs.VfsLfs2(_blocks, readsize=256, progsize=256)
except OSError:
    vfs.VfsLfs2.mkfs(_blocks, readsize=256, progsize=256)
    _files = vfs.VfsLfs2(_blocks, readsize=256, progsize=256)
"""
# Runs before boot.py: the board's file system in the place of the computer's, and the modules of
# the chip that the unix port lacks.
_BOOT = """
class _NVS:
    file = open({nvs!r}, 'r+b')
    def __init__(self, space): pass
    def _all(self):
        self.file.seek(0)
        return json.loads(self.file.read() or b'{{}}')
    def _keep(self, values):
        self.file.seek(0)
        self.file.write(json.dumps(values).encode() + b' ' * 2000)
        self.file.flush()
    def set_blob(self, key, value):
        text = value if isinstance(value, str) else str(value, 'utf-8')
        self._keep(dict(self._all(), **{{key: text}}))
    def get_blob(self, key, buffer):
        values = self._all()
        if key not in values: raise OSError(-4354)
        data = values[key].encode()
        buffer[:len(data)] = data
        return len(data)
    def erase_key(self, key):
        values = self._all()
        if key not in values: raise OSError(-4354)
        del values[key]
        self._keep(values)
    def commit(self): pass
def _reset(): raise SystemExit(82)
_ctrl_c = open({ctrl_c!r}, 'wb')
def _kbd_intr(character):
    _ctrl_c.seek(0)
    _ctrl_c.write(b'%3d' % character)
    _ctrl_c.flush()
vfs.umount('/')
vfs.mount(_files, '/')
os.chdir('/')
sys.path[:] = ['', '.frozen', '/lib']
if {image!r}:
    vfs.mount(vfs.VfsPosix({image!r}), '/image')
    sys.path[:] = ['/image', '', '/lib', '.frozen']
    import esp32, machine
    esp32.NVS, machine.reset = _NVS, _reset
else:
    class _Esp32: NVS = _NVS
    class _Machine:
        WDT = dict  # a watchdog that never bites
        reset = staticmethod(_reset)
        unique_id = staticmethod(lambda: bytes((0xf4, 0x12, 0xfa, 0x0a, 0x0b, 0x0c)))
    sys.modules['esp32'], sys.modules['machine'] = _Esp32, _Machine
import micropython
class _MicroPython: pass
if {digest!r}:
    class _Digest: DIGEST = {digest!r}
    sys.modules['build_digest'] = _Digest
for _name in dir(micropython): setattr(_MicroPython, _name, getattr(micropython, _name))
_MicroPython.alloc_emergency_exception_buf = lambda size: None
_MicroPython.kbd_intr = _kbd_intr
sys.modules['micropython'] = _MicroPython
class _Sys:
    def __getitem__(self, at): return (self.name, self.version)[at]
_changes = {changes!r}
if _changes:
    _fake = _Sys()
    for _name in dir(sys): setattr(_fake, _name, getattr(sys, _name))
    _fake.implementation = _Sys()
    for _name in ('name', 'version', '_mpy'):
        setattr(_fake.implementation, _name, getattr(sys.implementation, _name))
    for _name in _changes:
        setattr(_fake if _name == 'platform' else _fake.implementation, _name, _changes[_name])
    sys.modules['sys'] = _fake
{bench}
print(end=chr(0))
for _name in {starts!r}:
    # As pyexec_file_if_exists: what is part of the image goes before a file.
    _path = '/image/' + _name if {image!r} else _name
    try:
        os.stat(_path)
    except OSError:
        continue
    try:
        execfile(_path)
    except SystemExit as _end:
        if _end.args == (82,):
            print(end={reset!r})  # the interpreter itself would stay at its prompt
        raise
    except BaseException as _error:
        sys.print_exception(_error)
        break  # as in ports/esp32/main.c: no main.py after a boot.py that failed
"""
# In the place of those modules: the port's own fakes (tests/fakes/port), with the parts of the
# board whose file is on it. Its time is theirs: it passes while nothing is done.
_BENCH = """
vfs.mount(vfs.VfsPosix({root!r}), '/host')
sys.path.append('/host/tests')
for _name in ('esp32', 'machine'): del sys.modules[_name]
from fakes.port import clock
from fakes.port.boards import Bench
import machine
def _reset(): raise SystemExit(82)
machine.reset = _reset
with open('/board.json') as _file: _id = json.load(_file)['id']
bench = Bench(_id)
{code}
"""
# Prints every file.
_DUMP = """
from binascii import hexlify
def _dump(folder):
    for row in _files.ilistdir(folder):
        path = folder + row[0]
        if row[1] == 0x4000:
            _dump(path + '/')
            continue
        with _files.open(path, 'rb') as file:
            print(path, str(hexlify(file.read()), 'ascii'))
_dump('/')
"""


class VirtualBoard:
    """A board with its flash in `folder`, at the serial port `port` while it has power.

    `config` goes to the simulated parts (hal/simulator.py). `changes` are values of `sys` and
    `sys.implementation`: another chip. With `bench` it has the parts of its board's file, an ESP32
    and its time (fakes.port); the text is run with `bench` and `clock`, to do them harm. `image`
    is a folder with what is frozen into its image: the firmware, and what stands for the chip's
    modules; of its firmware `digest` alone may be there.
    """

    def __init__(self, folder, *, flash_kb=2048, changes=None, heap="2M", bench=None, digest="",
                 image=None, **config):  # fmt: skip
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._nvs, self._flash = folder / "nvs", folder / "flash"
        self._ctrl_c = folder / "ctrl-c"  # what the program last told micropython.kbd_intr
        self._nvs.touch()
        if not self._flash.exists():
            self._flash.write_bytes(b"\xff" * flash_kb * 1024)
        self._changes, self._heap, self._bench = changes, heap, ""
        self._digest, self._image = digest, image and str(image)
        if bench is not None:
            self._changes = {"platform": "esp32", **(changes or {})}
            self._bench = _BENCH.format(root=str(ROOT), code=bench)
        self._config = {"id": "", "root": "", "speaker": "/speaker.wav", **config}
        self.received = 0  # bytes from the computer
        self.cut_at = None  # of these, the one with which the power goes
        self.deaf_bytes = 0  # from the computer, that it misses
        self.starts = 0
        self._raw = False
        self._process = None

    @property
    def nvs(self):
        """What is kept beside the file system."""
        return json.loads(self._nvs.read_text() or "{}")

    def files(self):
        """What the flash holds, by path."""
        program = _FLASH.format(flash=str(self._flash)) + _DUMP
        done = subprocess.run(
            [interpreter.find(), "-X", "heapsize=4M", "-c", program],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        rows = (line.split(" ") for line in done.stdout.splitlines())
        return {path: bytes.fromhex(data) for path, data in rows}

    def __enter__(self):
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._wake, self._waker = os.pipe()
        self.received, self._raw, self._dead = 0, False, False
        self._start()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()
        return self

    def __exit__(self, *_):
        os.write(self._waker, b"x")
        self._thread.join()
        self._power_off()
        for file in (self._slave, self._wake, self._waker):
            os.close(file)

    def press_reset(self):
        """Its RESET button."""
        self._raw = False
        with contextlib.suppress(ProcessLookupError):  # it is starting anew just now
            os.kill(self._process.pid, signal.SIGKILL)

    def _start(self):
        near, far = pty.openpty()
        modes = termios.tcgetattr(far)
        tty.setraw(far)
        # Ctrl-C is a signal while a program runs, a byte at the prompt; what follows it is kept.
        raw = termios.tcgetattr(far)
        raw[3] = termios.ISIG | termios.NOFLSH
        raw[6] = modes[6]
        termios.tcsetattr(far, termios.TCSANOW, raw)
        starts = ("boot.py",) if self._raw else ("boot.py", "main.py")
        boot = _FLASH.format(flash=str(self._flash))
        boot += _BOOT.format(
            nvs=str(self._nvs), changes=self._changes, starts=starts, bench=self._bench,
            digest=self._digest, image=self._image, reset=_RESET, ctrl_c=str(self._ctrl_c),
        )  # fmt: skip
        self._ctrl_c.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [interpreter.find(), "-X", f"heapsize={self._heap}", "-i", "-c", boot],
            stdin=far, stdout=far, stderr=far, start_new_session=True,
            preexec_fn=_take_terminal,
            env={"VOXCARD_SIMULATOR": json.dumps(self._config), "MICROPYPATH": ".frozen"},
        )  # fmt: skip
        os.close(far)
        self._near = near
        self._booted, self._held = False, b""
        self.starts += 1

    def _carry(self):
        while True:
            sources = [self._wake, self._master] + ([] if self._dead else [self._near])
            ready, _, _ = select.select(sources, [], [])
            if self._wake in ready:
                return
            if self._master in ready and not self._to_board(os.read(self._master, 4096)):
                return
            if not self._dead and self._near in ready:
                self._from_board()

    def _to_board(self, data):
        """Whether there is power after it."""
        if self.cut_at is not None and self.received + len(data) >= self.cut_at:
            data = data[: self.cut_at - self.received]
            self._pass(data)
            self._power_off()
            return False
        self._pass(data)
        return True

    def _pass(self, data):
        self.received += len(data)
        missed = min(self.deaf_bytes, len(data))
        self.deaf_bytes -= missed
        data = data[missed:]
        if b"\x01" in data:
            self._raw = True
        if b"\x02" in data:
            self._raw = False
        # Until its own programs run, a board takes no Ctrl-C either.
        if not self._booted:
            self._held += data
            return
        with contextlib.suppress(OSError):
            self._set_ctrl_c()
            os.write(self._near, data)

    def _set_ctrl_c(self):
        """Make Ctrl-C a signal or a byte, as the program wants it."""
        modes = termios.tcgetattr(self._near)
        taken = self._ctrl_c.exists() and self._ctrl_c.read_bytes().strip() == b"-1"
        modes[3] = modes[3] & ~termios.ISIG if taken else modes[3] | termios.ISIG
        termios.tcsetattr(self._near, termios.TCSANOW, modes)

    def _from_board(self):
        try:
            data = os.read(self._near, 4096)
        except OSError:
            data = b""
        if self._booted and _RESET.encode() in data:
            self.press_reset()  # the firmware does
            data = data[: data.index(_RESET.encode())]
        if data:
            os.write(self._master, data if self._booted else self._boots(data))
            return
        status = self._process.wait()
        os.close(self._near)
        if status == RESET_STATUS:
            self._raw = False
        elif status != -signal.SIGKILL:
            os.write(self._master, b"soft reboot\r\n")
        raw = self._raw
        self._start()
        if raw:
            self._held = b"\x01"

    def _boots(self, data):
        """What is said before the board's own programs run, and after the mark that they do."""
        before, mark, after = data.partition(b"\0")
        if mark:
            self._booted = True
            held, self._held = self._held, b""
            os.write(self._near, held)
        return before + after

    def _power_off(self):
        if self._dead:
            return
        self._dead = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._near)
        os.close(self._master)


def _take_terminal():
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
