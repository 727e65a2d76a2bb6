#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules for the QML of ui/ that qmllint doesn't know: the look comes from Style, text is plain and translated, ids and pragmas.

    check_qml.py FOLDER      prints one line per finding, then a count; exits with 1 if there is any
    check_qml.py --selftest  breaks each rule once and expects it to be found
"""
import pathlib
import re
import sys
import tempfile

STYLE = {"Style.qml"}  # the one file where colours and sizes are numbers
PLAIN_TEXT_MAKERS = {"BodyText.qml", "Figures.qml", "Composer.qml", "MessageEdit.qml", "MessageFiles.qml", "TextBox.qml"}
SIZED = (r"(?:(?:implicit|preferred|minimum|maximum)?(?:[wW]idth|[hH]eight)|spacing|radius|(?:\w+\.)?\w*[mM]argins?|\w*[pP]adding"
         r"|font\.pixelSize|font\.pointSize|duration|interval|lineHeight|opacity|border\.width)")
WORDS = r"(?:text|title|label|hint|placeholderText|Accessible\.name|Accessible\.description)"


def code_of(text):
    """Returns the text without comments; strings stay."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "\n".join(re.sub(r"(^|\s)//.*$", "", line) for line in text.splitlines())


def findings(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    code = code_of(text).splitlines()
    root_at = next((n for n, line in enumerate(code) if re.match(r"\w[\w.]*\s*\{", line)), 0)
    body = "\n".join(code)
    if re.search(r"\broot\.", body) and not re.match(r"\s*id: root$", code[root_at + 1]):
        yield 1, "the root object's id must be root and stand first"
    if re.search(r"\b(?:Repeater|Instantiator|Optional)\s*\{", body) and "pragma ComponentBehavior: Bound" not in body:
        yield 1, "inline components without pragma ComponentBehavior: Bound"
    if "pragma ComponentBehavior: Bound" in body and re.search(r"\bsourceComponent:", body):
        yield 1, "a Loader with a bound component: Qt 6.4 can't make it"
    if re.search(r"setContextProperty|\bQt\.createQmlObject|\bXMLHttpRequest|\bWebSocket|https?://", body):
        yield 1, "context properties, made-up QML or the network"
    for number, line in enumerate(code, 1):
        if path.name not in STYLE:
            if re.search(r"\"#[0-9A-Fa-f]{3,8}\"|Qt\.(rgba|hsla|hsva|lighter|darker|tint)\b|color: \"(?!transparent\")\w+\"", line):
                yield number, "a colour outside Style"
            if re.search(rf"(?:^|[\s{{;]){SIZED}: *-?(?!0\b(?!\.)|1\b(?!\.))[0-9.]+\s*$", line):
                yield number, "a size or duration outside Style"
        if re.search(r"\b(RichText|StyledText|MarkdownText|AutoText)\b", line):
            yield number, "formatted text: what a model or a file wrote could become markup"
        if path.name not in PLAIN_TEXT_MAKERS and re.match(r"\s*(?:\w+: *)?(Text|TextEdit|TextArea|Label)\s*\{", line):
            yield number, "a bare text item: use BodyText, SmallText, TitleText or MessageBody"
        words = re.search(rf"(?:^|\s){WORDS}: *(.*)", line)
        said = re.sub(r'\bcommands\.title\("[\w.]+"\)', "", words.group(1)) if words else ""  # the list of commands translates its titles
        if path.name not in STYLE and said and "qsTr(" not in line and re.search("[A-Za-z]{2}", "".join(re.findall(r'"([^"]*)"', said))):
            yield number, "words without qsTr()"
        if "console." in line:
            yield number, "left over: console"
    for item in re.finditer(r"^( *)(?:\w+: *)?(?:Body|Small|Title)Text \{\n(.*?)^\1\}", body, re.M | re.S):
        own = [line for line in item.group(2).splitlines() if re.match(item.group(1) + r"    \S", line)]
        if any("wrapMode:" in line for line in own) and any(re.search(r" width: .*(?<!\.)\bimplicitWidth", line) for line in own):
            yield body[:item.start()].count("\n") + 1, "a text that wraps has a width that follows from its implicit width: use LineWidth"
    for maker in ("Text", "TextEdit", "TextArea"):
        if path.name in PLAIN_TEXT_MAKERS and re.search(rf"^\s*(?:\w+: *)?{maker}\s*\{{", body, re.M) and "PlainText" not in body:
            yield 1, f"{maker} without PlainText"
    if not lines[0].startswith("// SPDX-License-Identifier: Apache-2.0") or not lines[1].startswith("// "):
        yield 1, "SPDX line, then what the file is"


BROKEN = {
    "colour": 'Rectangle {\n    color: "#123456"\n}\n',
    "named colour": 'Rectangle {\n    color: "red"\n}\n',
    "size": "Rectangle {\n    width: 12\n}\n",
    "margin": "Rectangle {\n    anchors.leftMargin: 7\n}\n",
    "rich text": "BodyText {\n    textFormat: Text.RichText\n}\n",
    "bare text": "Item {\n    Text {\n    }\n}\n",
    "untranslated": 'BodyText {\n    text: "Hello"\n}\n',
    "no id": "Item {\n    width: root.height\n}\n",
    "unbound": "Item {\n    Repeater {\n    }\n}\n",
    "bound loader": "pragma ComponentBehavior: Bound\nLoader {\n    sourceComponent: null\n}\n",
    "network": 'Item {\n    property var x: new XMLHttpRequest()\n}\n',
    "loop of widths": "Item {\n    SmallText {\n        width: Math.min(implicitWidth, 9)\n        wrapMode: Text.Wrap\n    }\n}\n",
    "left over": "Item {\n    Component.onCompleted: console.log(1)\n}\n",
}
GOOD = "// SPDX-License-Identifier: Apache-2.0\n// A file.\nimport QtQuick\n\n"


def selftest():
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "Probe.qml"
        for name, body in BROKEN.items():
            path.write_text(GOOD + body, encoding="utf-8")
            if not list(findings(path)):
                missed.append(name)
        path.write_text(GOOD + 'Item {\n    id: root\n\n    width: root.height\n    opacity: 0\n}\n', encoding="utf-8")
        if list(findings(path)):
            missed.append("a good file")
    print(f"{len(BROKEN) + 1 - len(missed)} of {len(BROKEN) + 1} as expected", *missed)
    return bool(missed)


def main():
    if sys.argv[1:] == ["--selftest"]:
        sys.exit(selftest())
    folder = pathlib.Path(sys.argv[1])
    found = [f"{path.relative_to(folder)}:{number}: {what}" for path in sorted(folder.rglob("*.qml")) for number, what in findings(path)]
    print(*found, f"{len(found)} finding(s)", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
