#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the installed window as a person does, in a system below a folder, without a network.

    window_session.py --root FOLDER --user NAME --program FILE --guide FILE --picture FILE.png      in a network namespace of its own, as root

Starts a display, and in the folder's system the program as that user. It types a question to the demo model, waits until its answer is in the file of
chats, hands the model's file to the running program, quits by keys, starts it again, and asks once more: the second question must be in the same chat,
which shows that the program found it. Nothing but the program runs in the folder's system: display, keys and looks at its files come from here. All the
time its system calls are traced: it may open local sockets only, and reach nothing but the display, the buses of a desktop, and its own second start.
"""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "ui"))
import socket_free  # noqa: E402  the keyboard, and the check that there is no network

PATIENCE = socket_free.at_spi.PATIENCE
QUESTIONS = ["what is an expert cache", "tell me a story"]


def wait(what, found, process=None):
    """Waits until found() returns something, and returns that."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        result = found()
        if result:
            return result
        if process and process.poll() is not None:
            sys.exit(f"error: the program ended with {process.returncode} before there was {what}")
        time.sleep(0.1)
    sys.exit(f"error: missing: {what}")


class Display:
    """Xvfb, whose pixels are in a file."""

    def __init__(self, folder):
        self.pixels = pathlib.Path(folder, "Xvfb_screen0")
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-fbdir", folder],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        self.name = f":{os.read(read, 16).decode().strip()}"
        os.environ["DISPLAY"] = self.name
        self.keys = socket_free.Keyboard()

    def shows_a_window(self):
        """Whether the root window has a child that is as large as a program's window."""
        x11, display = self.keys.x11, self.keys.display
        root, parent, children, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        x11.XDefaultRootWindow.restype = ctypes.c_ulong
        x11.XQueryTree(display, ctypes.c_ulong(x11.XDefaultRootWindow(display)), ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children),
                       ctypes.byref(count))
        sizes = []
        for index in range(count.value):
            place = [ctypes.c_int(), ctypes.c_int(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()]
            x11.XGetGeometry(display, ctypes.c_ulong(children[index]), ctypes.byref(root), *map(ctypes.byref, place))
            sizes.append(place[2].value)
        return any(width > 400 for width in sizes)

    def header(self):
        """Returns the place of the first pixel in the file, its lines' length, and the screen's size. The file is in the format of xwd."""
        with self.pixels.open("rb") as file:
            header = struct.unpack(">25I", file.read(100))
        return header[0] + header[19] * 12, header[12], header[4], header[5]

    def pixel(self, x, y):
        first, line, _, _ = self.header()
        with self.pixels.open("rb") as file:
            file.seek(first + y * line + x * 4)
            return file.read(4)

    def save(self, path):
        """Writes what is on the screen as a PNG."""
        data = self.pixels.read_bytes()
        first, line, width, height = self.header()
        rows = bytearray()
        for y in range(height):
            row = data[first + y * line:first + y * line + width * 4]
            rgb = bytearray(width * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b"\0" + rgb

        def chunk(name, content):
            return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
                         chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))


class Installed:
    """The program in the system below a folder, and its file of chats as seen from here."""

    def __init__(self, options, display, scratch):
        root, self.scratch, self.traces = options.root, scratch, []
        entry = next(line for line in (root / "etc/passwd").read_text().splitlines() if line.startswith(f"{options.user}:")).split(":")
        self.root, self.program, self.guide, self.ids, home = root, options.program, options.guide, f"{entry[2]}:{entry[3]}", entry[5]
        self.chats = root / home.lstrip("/") / ".local/share/Coterie/chats.db"
        runtime = root / "run/user" / entry[2]
        runtime.mkdir(parents=True, exist_ok=True)
        os.chown(runtime, int(entry[2]), int(entry[3]))
        runtime.chmod(0o700)
        self.environment = {"DISPLAY": display, "HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": f"/run/user/{entry[2]}"}

    def start(self, *arguments):
        """Starts the program under a trace. The tracer is a process beside it (-D), so that the program keeps the number of the one started here."""
        self.traces.append(self.scratch / f"{len(self.traces)}.trace")
        # The environment is the program's: its PATH lacks the folders of administrators.
        inside = [shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin"), f"--userspec={self.ids}", str(self.root), self.program, *arguments]
        return subprocess.Popen(["strace", "-D", "--seccomp-bpf", *socket_free.TRACE[1:], str(self.traces[-1]), *inside], env=self.environment)

    def check_traces(self):
        """Ends this program if a socket was opened or an address was reached that must not be."""
        runtime = re.escape(self.environment["XDG_RUNTIME_DIR"])
        checker = socket_free.Checker({
            "the display": rf"^@?/tmp/\.X11-unix/X{self.environment['DISPLAY'].removeprefix(':')}$",
            "the channel of a second start": socket_free.own_channel(runtime),
            "a bus": rf"^({runtime}/bus|(/var)?/run/dbus/system_bus_socket)$",
            "the C library's cache of users": "^/var/run/nscd/socket$"})
        for trace in self.traces:
            checker.read(trace.read_text())
        if checker.findings:
            sys.exit("\n".join([*checker.findings, f"error: {len(checker.findings)} finding(s) in the traces of system calls"]))
        if not checker.reached["the display"] or not checker.reached["the channel of a second start"]:
            sys.exit(f"error: the traces lack what must be there, so they can't be trusted: {checker.reached}")
        print(f"{checker.sockets} sockets, all local:", ", ".join(f"{count} to {place}" for place, count in checker.reached.items()))

    def rows(self, query):
        try:
            base = sqlite3.connect(f"file:{self.chats}?mode=ro", uri=True, timeout=10)
            try:
                return base.execute(query).fetchall()
            finally:
                base.close()
        except sqlite3.OperationalError:
            return []  # it is not there yet

    def messages(self):
        return self.rows("SELECT m.chat, m.role, m.state, t.text FROM messages m JOIN message_texts t ON t.id = m.id ORDER BY m.id")

    def opened(self, process):
        """Whether the process has the demo model open."""
        for file in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
            try:
                if os.readlink(file).endswith(self.guide):
                    return True
            except OSError:
                continue  # it was closed meanwhile
        return False


def ask(display, installed, process, question, before):
    """Types the question, sends it, and returns its chat and the answer when it is complete."""
    wait("an open demo model", lambda: installed.opened(process), process)
    wait("a window", display.shows_a_window, process)
    drafted = "SELECT text FROM drafts"

    def typed():
        if any(text == question for (text,) in installed.rows(drafted)):
            return True
        display.keys.press("Control_L", "a")  # a window that was not ready may have got a part of the text
        display.keys.write(question)
        time.sleep(2)  # the program stores what is typed a moment later
        return any(text == question for (text,) in installed.rows(drafted))

    wait("a draft of the question", typed, process)

    def sent():
        if len(installed.messages()) <= before:
            display.keys.press("Return")
            time.sleep(1)
        return len(installed.messages()) > before

    wait("the question among the messages", sent, process)
    done = wait("an answer", lambda: (lambda rows: rows if len(rows) == before + 2 and rows[-1][2] == "complete" else None)(installed.messages()), process)
    if done[-2][1] != "user" or done[-2][3] != question or done[-1][1] != "assistant" or not done[-1][3].strip():
        sys.exit(f"error: these messages were stored: {done}")
    print(f"asked: {question}\nanswer: {done[-1][3]}")
    return done[-1][0]


def quit_by_keys(display, installed, process):
    """A start with the model's file goes to the running program, which brings its window to the front, and ends; then Ctrl+Q has the keys."""
    if installed.start(installed.guide).wait(PATIENCE) != 0 or process.poll() is not None:
        sys.exit("error: the second start was not handed to the running program")
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        display.keys.press("Control_L", "q")
        time.sleep(0.5)
    if process.poll() != 0:
        sys.exit(f"error: the program did not quit by its keys: {process.poll()}")


def session(options, display, scratch):
    installed = Installed(options, display.name, scratch)
    chats = []
    for turn, question in enumerate(QUESTIONS):
        process = installed.start()
        try:
            chats.append(ask(display, installed, process, question, 2 * turn))
            time.sleep(1)  # the picture shows the end of the answer
            display.save(options.picture.with_name(f"{options.picture.stem}-{turn + 1}.png"))
            quit_by_keys(display, installed, process)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
    installed.check_traces()
    if chats[0] != chats[1]:
        sys.exit("error: the second start did not find the chat of the first one")
    print("passed: asked, answered, closed, started again, and found the chat")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    for option in ("user", "program", "guide"):  # the files as they are seen in that system
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--picture", type=pathlib.Path, required=True)
    options = parser.parse_args()
    socket_free.no_network()
    with tempfile.TemporaryDirectory() as folder:
        display = Display(folder)
        try:
            session(options, display, pathlib.Path(folder))
        finally:
            socket_free.at_spi.end(display.server)


if __name__ == "__main__":
    main()
