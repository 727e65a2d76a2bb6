#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The window opens no socket but local ones: a whole session without a network, under a trace of its system calls.

    socket_free.py PROGRAM [ARGUMENT...]      PROGRAM: coterie-offline, with --script fast, or coterie

Runs in a network namespace of its own, which has no interface but a loopback that is down. There it starts a display, a session bus and the
accessibility bus, and then the program under strace. With keys it opens the model, sends a prompt, waits for the answer, starts the program a second time,
opens pages, pastes a long text, talks beside another chat and in a temporary one with a file from the disk, exports all chats and imports them, searches,
and quits. Then:

- every call of socket(), socketpair() and the like that any thread or child made is about AF_UNIX;
- every address that was connected, bound or sent to is the display, one of the two buses, or the channel of our own second start;
- at each step, every socket among the open files is known to the kernel as a Unix socket. This also covers sockets that io_uring makes, of which strace
  sees no call.

Before that, the checker is checked: it must find what helpers do that open sockets of other kinds, that connect to another Unix socket, and that do
nothing. Exits with 77, which CTest counts as skipped, if a package is missing or the machine allows no namespaces.
"""
import ctypes
import errno
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

import at_spi

TRACE = ["strace", "-f", "-qq", "-s", "256", "-e", "trace=%network", "-e", "signal=none", "-o"]
# A line of strace: "PID call(arguments) = result". An interrupted call is shown in two lines; the first one has what it was asked for.
CALL = re.compile(r"^\d+\s+(\w+)\((.*)$")
ADDRESS = re.compile(r"\{sa_family=(\w+)([^}]*)\}")
PATH = re.compile(r'sun_path=(@?)"((?:[^"\\]|\\.)*)"')
QUESTION = "tell me a story"


class Checker:
    """Judges a trace: `allowed` has the names of the places that may be reached, and patterns of their addresses."""

    def __init__(self, allowed):
        self.allowed = allowed
        self.reached = dict.fromkeys(allowed, 0)
        self.sockets = 0
        self.findings = []

    def read(self, trace):
        for line in trace.splitlines():
            match = CALL.match(line)
            if match:
                self.call(match[1], match[2], line)
        return self.findings

    def call(self, name, arguments, line):
        if name in ("socket", "socketpair"):
            self.sockets += 1
            if not re.match(r"AF_(UNIX|LOCAL)\b", arguments):
                self.findings.append(f"a socket that is not local: {line}")
            return
        answers = name in ("accept", "accept4", "getsockname", "getpeername", "recvfrom", "recvmsg", "recvmmsg")
        for family, rest in ADDRESS.findall(arguments):
            if family not in ("AF_UNIX", "AF_LOCAL"):
                self.findings.append(f"an address that is not local: {line}")
            elif not answers:
                self.reach(rest, line)

    def reach(self, address, line):
        path = PATH.search(address)
        if not path:
            return  # it has no name: only a socketpair has it
        place = next((place for place, pattern in self.allowed.items() if re.search(pattern, path[1] + path[2])), None)
        if place is None:
            self.findings.append(f"a local socket that is none of ours: {line}")
        else:
            self.reached[place] += 1


def traced(command, file):
    return [*TRACE, str(file), *command]


def check_the_checker(folder):
    """Each of these must be found; the last one, which does nothing, must reach nothing."""
    helper = "import socket\n{}\n"
    wrong = {
        "IPv4": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "datagrams": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
        "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "a lookup of a name": "import contextlib\nwith contextlib.suppress(OSError): socket.getaddrinfo('example.org', 80)",
        "a child": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import socket; socket.socket()'])",
        "a thread": "import threading\nthread = threading.Thread(target=socket.socket)\nthread.start()\nthread.join()",
        "another local socket": "import contextlib\nwith contextlib.suppress(OSError): socket.socket(socket.AF_UNIX).connect('/run/elsewhere')",
    }
    file = pathlib.Path(folder, "helper.trace")
    for name, lines in wrong.items():
        subprocess.run(traced([sys.executable, "-c", helper.format(lines)], file), check=True)
        if not Checker({"nothing": "(?!)"}).read(file.read_text()):
            sys.exit(f"the checker does not see this helper: {name}")
    subprocess.run(traced([sys.executable, "-c", "import socket; a, b = socket.socketpair(); a.send(b'x')"], file), check=True)
    checker = Checker({"nothing": "(?!)"})
    if checker.read(file.read_text()) or not checker.sockets:
        sys.exit("the checker does not see a pair of local sockets, or minds it")
    open_socket = "import socket, sys; kept = socket.socket(); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", open_socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as helper_process:
        helper_process.stdout.readline()
        if not foreign_descriptors(helper_process.pid):
            sys.exit("an open socket that is not local is not seen among the open files")
    print(f"the checker finds {len(wrong)} kinds of sockets that must not be")


def foreign_descriptors(process):
    """Returns the sockets among the open files of a process that are no Unix sockets."""
    local = {line.split()[6] for line in pathlib.Path(f"/proc/{process}/net/unix").read_text().splitlines()[1:]}
    found = []
    for file in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            target = os.readlink(file)
        except OSError:
            continue  # it was closed
        if target.startswith("socket:[") and target[8:-1] not in local and file.exists():
            found.append(target)
    return found


class Keyboard:
    """Keys of the display's keyboard, through X's extension for tests."""

    def __init__(self):
        self.x11, self.xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XStringToKeysym.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(None))

    def press(self, *names):
        """Presses the keys, each while those before it are down."""
        codes = [self.x11.XKeysymToKeycode(self.display, ctypes.c_ulong(self.x11.XStringToKeysym(name.encode()))) for name in names]
        for code, down in [(code, 1) for code in codes] + [(code, 0) for code in reversed(codes)]:
            self.xtst.XTestFakeKeyEvent(self.display, code, down, 0)
        self.x11.XSync(self.display, 0)

    def write(self, text):
        for letter in text:
            self.press({" ": "space", ".": "period"}.get(letter, letter))


def focused(client):
    state = client.atspi.StateType.FOCUSED
    return [node for node in client.walk(client.window()) if node.get_state_set().contains(state)]


def focused_names(client):
    return [node.get_name() for node in focused(client)]


def choose(client, keys, title, name):
    """Writes the name of a file of the home folder into a file dialog, and ends it."""
    nodes = client.wait("the dialog's fields", lambda: list(client.walk(client.find("dialog", title))))
    label = next(index for index, node in enumerate(nodes) if node.get_name() == "File name")
    field = next(node for node in nodes[label:] if node.get_role_name() == "text")
    client.atspi.Component.grab_focus(field)
    client.expect_states(field, "focused")
    keys.press("Control_L", "a")
    keys.write(name)
    keys.press("Return")


def choose_row(client, keys, title, name):
    """Types the name of a file of the home folder in the list of a file dialog, which makes its row the current one, and opens it."""
    client.wait(f"the row {name!r}", lambda: any(node.get_name() == name for node in client.walk(client.find("dialog", title))))
    keys.write(name)
    keys.press("Return")


def attach(client, keys):
    """Attaches a file from the disk to the next message."""
    (pathlib.Path.home() / "notes.txt").write_text("The lantern is red.")
    keys.press("Control_L", "Shift_L", "a")
    choose_row(client, keys, "Attach files", "notes.txt")
    client.wait("the attached file", lambda: any(
        node.get_name().startswith("notes.txt, ") for node in client.walk(client.find("list", "Attached files"))))


def expect_result(client, words):
    """Waits for the alert with the result of an export or import, which has these words."""
    client.wait(f"the result {words!r}", lambda: any(words in name for name, _ in client.alerts))
    client.alerts.clear()


def ask(client, keys):
    client.wait("the composer of a chat", lambda: "Message" in focused_names(client))
    keys.write(QUESTION)
    keys.press("Return")
    client.expect_alert("The answer has ended")


def give_command(client, keys, name):
    keys.press("Control_L", "Shift_L", "p")
    client.expect_states(client.find("text", "Find a command"), "focused")
    keys.write(name)
    keys.press("Return")
    client.wait("the end of the palette", lambda: "Find a command" not in focused_names(client))


def use_chats(client, keys, step):
    """A long paste that becomes a file, a second chat beside the first, a temporary chat with a file, an export, and its import."""
    client.expect_states(client.find("text", "Message"), "focused", "enabled")
    keys.write("a fox and a lighthouse ")
    for _ in range(10):  # each time the text is doubled, until one paste is too long for a message
        for key in "a", "c", "End", "v":
            keys.press("Control_L", key)
    client.find("list", "Attached files")
    ask(client, keys)
    step("sent a long paste as a file")
    keys.press("Control_L", "backslash")
    ask(client, keys)
    step("answered beside another chat")
    keys.press("Control_L", "backslash")
    keys.press("Control_L", "Shift_L", "n")
    client.find("panel", "Temporary chat")
    attach(client, keys)
    step("attached a file")
    ask(client, keys)
    step("answered in a temporary chat")
    client.press("push button", "Keep this chat")
    client.wait("the composer of a chat", lambda: "Message" in focused_names(client))
    give_command(client, keys, "export all chats")
    choose(client, keys, "Export all chats", "all.json")
    exported = pathlib.Path.home() / "all.json"
    client.wait("the exported file", exported.exists)
    expect_result(client, "exported")
    step("exported all chats")
    give_command(client, keys, "import chats")
    choose_row(client, keys, "Import chats", exported.name)
    expect_result(client, "Nothing new was found")
    step("imported them")
    keys.press("Escape")


def session(client, keys, command, step):
    """Uses the window as people do; step() is called after each thing done."""
    client.wait("a description of the open model", lambda: client.find("push button", "Model: Demo model").get_description())
    client.expect_states(client.find("text", "Message"), "focused", "enabled")
    step("opened the model")
    ask(client, keys)
    step("got an answer")
    # It also brings the window to the front, which shortcuts need: the display has no window manager.
    if subprocess.run(command, timeout=at_spi.PATIENCE).returncode != 0:
        sys.exit("the second start found no running program")
    step("started it a second time")
    for name, combination in [("Settings", ["comma"]), ("Models", ["m"])]:
        keys.press("Control_L", *combination)
        client.find("heading", name)
        step(f"opened the page {name}")
        keys.press("Escape")
        client.expect_states(client.find("text", "Message"), "showing")
    use_chats(client, keys, step)
    keys.press("Control_L", "i")
    client.open_section("Figures")
    client.exists("push button", "What is this? Speed")
    step("opened the model's activity")
    give_command(client, keys, "search in all")
    keys.write("story")
    client.wait("a field with the word that is looked for", lambda: any(
        client.atspi.Text.get_text(node, 0, -1) == "story" for node in focused(client) if node.get_role_name() == "text"))
    step("searched")
    keys.press("Control_L", "q")


def own_channel(runtime):
    """The pattern of the address on which a running program hears of a second start, in the folder that this pattern names. app/shell/instance_channel.cpp
    names it; Qt makes it in a folder beside and moves it."""
    return rf"^{runtime}/(coterie-[0-9a-f]{{16}}|\.\w+/s)$"


def places():
    """The places that the program may reach, by the patterns of their addresses."""
    runtime = re.escape(os.environ["XDG_RUNTIME_DIR"])
    number = os.environ["DISPLAY"].removeprefix(":")
    bus = re.search(r"unix:(?:path|abstract)=([^,;]+)", os.environ["DBUS_SESSION_BUS_ADDRESS"])[1]
    return {"the display": rf"^@?/tmp/\.X11-unix/X{number}$", "the session bus": rf"^@?{re.escape(bus)}$",
            "the accessibility bus": rf"^@?{runtime}/at-spi/bus",
            "the channel of a second start": own_channel(runtime)}


def inside(command):
    """Runs on the display and the bus; command has the program and its arguments."""
    client = at_spi.Client()
    with tempfile.TemporaryDirectory() as folder:
        check_the_checker(folder)
        command = [*command, "--data-dir", str(pathlib.Path(folder, "data"))]
        file = pathlib.Path(folder, "window.trace")
        window = subprocess.Popen(traced(command, file))
        findings = []

        def step(done):
            children = pathlib.Path(f"/proc/{window.pid}/task/{window.pid}/children").read_text().split()
            if not children:
                sys.exit("strace runs no program")
            for child in children:
                findings.extend(f"an open socket that is not local, after it {done}: {one}" for one in foreign_descriptors(child))
            print(f"the program {done}")

        try:
            session(client, Keyboard(), command, step)
            if window.wait(at_spi.PATIENCE) != 0:
                sys.exit(f"the program ended with {window.returncode}")
        finally:
            window.kill()
            window.wait()
        checker = Checker(places())
        findings += checker.read(file.read_text())
    print(*findings, sep="\n", end="\n" if findings else "")
    unreached = [place for place, count in checker.reached.items() if not count]
    if unreached:
        sys.exit(f"the trace does not show {', '.join(unreached)}: it can't be trusted")
    if findings:
        sys.exit(f"{len(findings)} finding(s)")
    print(f"passed: {checker.sockets} sockets, all local:", ", ".join(f"{count} to {place}" for place, count in checker.reached.items()))


def no_network():
    """Makes sure that this namespace reaches nothing, not even itself."""
    names = {line.split(":")[0].strip() for line in pathlib.Path("/proc/net/dev").read_text().splitlines()[2:]}
    if names != {"lo"}:
        sys.exit(f"the namespace has interfaces: {names}")
    with socket.socket() as probe:
        reason = probe.connect_ex(("127.0.0.1", 9))
    if reason != errno.ENETUNREACH:
        sys.exit(f"the loopback is up: {os.strerror(reason)}")


def outside(arguments):
    """Enters a namespace without a network."""
    for needed, package in {"strace": "strace", "unshare": "util-linux"}.items():
        if not shutil.which(needed):
            at_spi.skip(package, f"{needed} is not here")
    for library in ("libX11.so.6", "libXtst.so.6"):
        try:
            ctypes.CDLL(library)
        except OSError:
            at_spi.skip("libxtst6", f"{library} is not here")
    if subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        at_spi.skip("strace", "this machine does not let strace follow a program")
    for way in (["unshare", "--net"], ["unshare", "--user", "--map-root-user", "--net"]):
        if subprocess.run([*way, "true"], capture_output=True).returncode == 0:
            os.execvp(way[0], [*way, sys.executable, __file__, *arguments, "--no-network"])
    at_spi.skip("util-linux", "this machine allows no network namespace")


if __name__ == "__main__":
    given, last = sys.argv[1:-1], sys.argv[-1]
    if last == "--inside":
        inside(given)
    elif last == "--no-network":
        no_network()
        at_spi.outside(__file__, given)
    else:
        outside(sys.argv[1:])
