#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The window through the eyes of a real screen reader's interface: AT-SPI, with the bus and the registry of the system.

    at_spi.py PROGRAM      PROGRAM: coterie-offline

Starts a display (Xvfb), a session bus and the accessibility bus of its own, so that nothing of the user's session is touched. Then, as a client of
AT-SPI, it finds the main controls with their names, roles and states, lets the scripted engine answer, expects the alerts (the end of an answer,
and an error with its reason), and reads every figure of the inspector. Exits with 77, which CTest counts as skipped, if a package is missing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
PROGRAMS = {"Xvfb": "xvfb", "dbus-run-session": "dbus-daemon", "/usr/libexec/at-spi-bus-launcher": "at-spi2-core"}
INTERPRETERS = [sys.executable, "/usr/bin/python3"]
IMPORT = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
PATIENCE = 120 * float(os.environ.get("COTERIE_TEST_PATIENCE", "1"))  # seconds until something that must happen counts as missing: see support/patience.h
LOOK_AGAIN = 50  # milliseconds between two looks at what is waited for


def skip(package, reason):
    print(f"skipped: {reason}; install the Debian package {package}")
    sys.exit(SKIPPED)


def outside(script, arguments):
    """Checks what is installed, then runs the script with these arguments and --inside, on a display and a bus of its own."""
    for needed, package in PROGRAMS.items():
        if not shutil.which(needed):
            skip(package, f"{needed} is not here")
    python = next((one for one in INTERPRETERS if subprocess.run([one, "-c", IMPORT], capture_output=True).returncode == 0), None)
    if not python:
        skip("gir1.2-atspi-2.0 and python3-gi", "Python can't load the client library of AT-SPI")
    read, write = os.pipe()
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[write],
                               stderr=subprocess.DEVNULL)
    os.close(write)
    number = os.read(read, 16).decode().strip()
    if not number:
        sys.exit("Xvfb did not start")
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DBUS_", "AT_SPI_", "XDG_", "WAYLAND_", "QT_"))}
        environment |= {"DISPLAY": f":{number}", "HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
                        "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "xcb", "QT_QUICK_BACKEND": "software", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
                        "NO_AT_BRIDGE": "0"}
        try:
            done = subprocess.run(["dbus-run-session", "--", python, "-Wignore::DeprecationWarning", script, *arguments, "--inside"], env=environment)
        finally:
            end(display)
    sys.exit(done.returncode)


def end(process):
    """Asks the process to end, and makes it end if it does not."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def start_accessibility(gio, glib):
    """Returns when the accessibility bus and its registry run. Their first start takes long on a busy machine: longer than the 25 seconds that Qt and
    the client library give each call."""
    deadline = time.monotonic() + PATIENCE

    def call(bus, name, path, interface, method, arguments):
        while True:
            try:
                return bus.call_sync(name, path, interface, method, arguments, None, gio.DBusCallFlags.NONE, int(PATIENCE * 1000), None).unpack()
            except glib.Error as error:  # the bus itself gives up after some time, too
                if time.monotonic() > deadline:
                    sys.exit(f"missing: an answer to {method}: {error.message}")

    session = gio.bus_get_sync(gio.BusType.SESSION, None)
    address, = call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None)
    flags = gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    accessibility = gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    bus = ["org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"]
    # The registry then need not ask for the address, and does not give up after 25 seconds itself.
    call(accessibility, *bus, "UpdateActivationEnvironment", glib.Variant("(a{ss})", ({"AT_SPI_BUS_ADDRESS": address},)))
    call(accessibility, *bus, "StartServiceByName", glib.Variant("(su)", ("org.a11y.atspi.Registry", 0)))
    call(accessibility, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root", "org.freedesktop.DBus.Peer", "Ping", None)
    accessibility.close_sync(None)


class Client:
    """A client of AT-SPI that remembers the alerts it was sent."""

    def __init__(self):
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, Gio, GLib
        start_accessibility(Gio, GLib)
        self.atspi, self.glib, self.alerts = Atspi, GLib, []
        Atspi.init()
        Atspi.set_timeout(int(PATIENCE * 1000), int(PATIENCE * 1000))  # otherwise 0.8 seconds a call
        self.listener = Atspi.EventListener.new(self.hear)
        self.listener.register("object:state-changed:showing")

    def hear(self, event):
        try:
            source = event.source
            if event.detail1 and source.get_role_name() in ("alert", "notification"):
                self.alerts.append((source.get_name(), source.get_description()))
        except self.glib.Error:
            pass  # it is gone already

    def wait(self, what, found):
        """Handles events until found() returns something, and returns that."""
        deadline = time.monotonic() + PATIENCE
        clock = self.glib.timeout_add(LOOK_AGAIN, lambda: True)  # an event, so that what changes without one is seen, too
        try:
            while time.monotonic() < deadline:
                try:
                    result = found()
                except self.glib.Error:
                    result = None  # the tree changed while it was read
                if result:
                    return result
                self.glib.MainContext.default().iteration(True)
                while self.glib.MainContext.default().iteration(False):
                    pass
        finally:
            self.glib.source_remove(clock)
        print(f"missing: {what}")
        print("alerts so far:", *self.alerts, sep="\n  ")
        self.show(self.window())
        sys.exit(1)

    def window(self):
        desktop = self.atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(index)
            if program and program.get_name() in ("Coterie", "coterie-offline") and program.get_child_count():
                return program.get_child_at_index(0)
        return None

    def walk(self, node):
        if node is None:
            return
        yield node
        for index in range(node.get_child_count()):
            yield from self.walk(node.get_child_at_index(index))

    def show(self, node):
        for one in self.walk(node):
            print(f"  {one.get_role_name()}: {one.get_name()!r}")

    def find(self, role, name):
        """Waits for a shown node of this role with this name."""
        showing = self.atspi.StateType.SHOWING
        return self.wait(f"{role} {name!r}", lambda: next((
            node for node in self.walk(self.window())
            if node.get_role_name() == role and node.get_name() == name and node.get_state_set().contains(showing)), None))

    def exists(self, role, name):
        """Waits for a node of this role with this name, which may be scrolled out of the view."""
        return self.wait(f"{role} {name!r}", lambda: next((
            node for node in self.walk(self.window()) if node.get_role_name() == role and node.get_name() == name), None))

    def states(self, node):
        return {state.value_nick for state in node.get_state_set().get_states()}

    def expect_states(self, node, *wanted):
        self.wait(f"states {wanted} of {node.get_name()!r}, which has {sorted(self.states(node))}", lambda: self.states(node) >= set(wanted))

    def press(self, role, name):
        self.press_node(self.find(role, name))

    def open_section(self, name):
        """Opens a section of the model's activity, which may be scrolled out of the view."""
        self.press_node(self.exists("push button", name))

    def press_node(self, node):
        names = [self.atspi.Action.get_action_name(node, index) for index in range(self.atspi.Action.get_n_actions(node))]
        self.atspi.Action.do_action(node, names.index("Press"))

    def expect_alert(self, name, description=""):
        heard = self.wait(f"the alert {name!r}", lambda: next((alert for alert in self.alerts if alert[0] == name), None))
        if description not in heard[1]:
            sys.exit(f"the alert {name!r} says {heard[1]!r}, not {description!r}")
        self.alerts.clear()


QUESTION = "What is an expert cache?"  # a suggestion of the demo model's page: pressing it sends it


def controls(client):
    for role, name in [("push button", "New chat"), ("push button", "Offline"), ("list", "Chats"), ("push button", "Model: Demo model"),
                       ("heading", "Try the demo model")]:
        client.find(role, name)
    client.expect_states(client.find("push button", "New chat"), "focusable", "enabled", "showing", "visible")
    client.expect_states(client.find("text", "Message"), "focusable", "editable", "focused")


def opened(client):
    """Waits until the model is ready: the button of the model then describes it."""
    client.wait("a description of the open model", lambda: "Q4_0" in client.find("push button", "Model: Demo model").get_description())


def answer(client):
    controls(client)
    opened(client)
    client.press("push button", QUESTION)
    client.expect_alert("The answer has ended")
    client.expect_states(client.find("list item", QUESTION), "focusable", "selectable", "selected")


# Everything in the pane of the model's activity that shows figures, by role: charts, the grid and its table, values, gauges.
PARTS = ["Figures", "Would more memory help?", "How evenly experts are used", "Active neurons", "Remarks"]
CHARTS = ["Share from memory, by the room for experts", "Different experts used, by tokens", "How unevenly each layer uses its experts",
          "How many experts each layer uses", "Share of active neurons in each layer"]
VALUES = ["From memory", "Read from disk", "Disk rate", "Speed", "Head rows", "Active neurons", "Memory budget", "Context"]
GAUGES = ["From memory", "Read from disk", "Waiting for the disk"]
MEMORY = ["Weights", "Experts in memory", "KV cache", "Coterie itself", "Other programs", "Free"]
GRID = "Experts: a row for each layer. The arrow keys move, Enter selects"
TABLE = "Experts as a table"  # it is hidden at first; a client finds it all the same
FIGURES = {
    "chart": set(CHARTS),
    "table": {GRID},
    "list": {"Tokens of the answer", TABLE},
    "slider": {"Token"},
    "push button": {f"What is this? {name}" for name in [*VALUES, *CHARTS, *(f"The part {part}" for part in PARTS)]},
    "label": {*VALUES, *GAUGES},
}
FIGURE_NAMES = {"push button": r"What is this\? .+", "label": r"([A-Z][A-Za-z ]+): .*[^.]"}  # others of these roles are no figures
UNNAMED = r".+"


def figures_read(client):
    """Returns the nodes that the client finds in the pane, by the roles and names of FIGURES. A label with a value has its name alone there."""
    found = {role: {} for role in FIGURES}
    for node in client.walk(client.exists("panel", "Model activity")):
        role = node.get_role_name()
        match = re.fullmatch(FIGURE_NAMES.get(role, UNNAMED), node.get_name()) if role in FIGURES else None
        if match:
            found[role][match[match.lastindex or 0]] = node
    return found


def figures(client):
    """Opens the pane after an answer: what a client finds is what the list has, and each figure has a name and tells its value."""
    opened(client)
    client.press("push button", QUESTION)
    client.expect_alert("The answer has ended")
    client.press("push button", "Model activity (Ctrl+I)")
    client.exists("heading", "This answer, by Demo model")
    client.exists("heading", "Open model: Demo model")
    for part in PARTS:
        heading = client.exists("push button", part)
        client.wait(f"a result of {part!r}", lambda: heading.get_description())
        client.open_section(part)
    for chart in CHARTS:
        client.exists("chart", chart)
    found = figures_read(client)
    wrong = [f"{role}: not read: {sorted(names - found[role].keys())}; not in the list: {sorted(found[role].keys() - names)}"
             for role, names in FIGURES.items() if found[role].keys() != names]
    if wrong:
        sys.exit("\n".join(wrong))
    for role in ["chart", "table", "slider", "list", "push button"]:
        for name in FIGURES[role] - {TABLE}:
            client.expect_states(found[role][name], "focusable")
    for name, chart in found["chart"].items():
        client.wait(f"a description of {name!r}", lambda: chart.get_description())
    labels = {node.get_name() for node in client.walk(client.window()) if node.get_role_name() == "label"}
    if not labels.issuperset(MEMORY):
        sys.exit(f"label: not read: {sorted(set(MEMORY) - labels)}")
    client.wait("the legend of the grid", lambda: any(node.get_name().startswith("Colours from ") for node in client.walk(client.window())))
    client.find("table", GRID)
    client.press("check box", "Show the values as a table")
    client.find("list", TABLE)
    client.wait("a line of the table", lambda: any(
        node.get_role_name() == "list item" and node.get_name().startswith("Layer 0, expert ") for node in client.walk(client.window())))


def failure(client):
    opened(client)
    client.press("push button", QUESTION)
    client.expect_alert("The answer broke off", "The model's file can no longer be read")


def inside(program):
    client = Client()
    with tempfile.TemporaryDirectory() as folder:
        for script, check in [("fast", answer), ("from-disk", figures), ("disk-lost", failure)]:
            window = subprocess.Popen([program, "--script", script, "--data-dir", str(pathlib.Path(folder, check.__name__))])
            try:
                check(client)
            finally:
                end(window)
            client.wait("the end of the program", lambda: client.window() is None)
    print("passed")


if __name__ == "__main__":
    if sys.argv[2:] == ["--inside"]:
        inside(sys.argv[1])
    else:
        outside(__file__, sys.argv[1:])
