# SPDX-License-Identifier: Apache-2.0
"""Reads source text just well enough for check_house.py: comments, and how long functions are. It is no compiler."""
import ast
import re

CPP_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*(?:\\\n[^\n]*)*|/\*.*?\*/)'
    r'|(?P<text>R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\')', re.DOTALL)
SCOPE = re.compile(r'(?:typedef\s+)?(?:(?:inline\s+)?namespace|class|struct|union|extern\s*"")\b')
HASH_TOKEN = re.compile(r'(?P<text>"""(?P<doc>.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|(?P<comment>(?<![^\s])#[^\n]*)', re.DOTALL)


def code_of(text):
    """The C++ text with comments and literals emptied, the preprocessor's lines left out and of #if only its first branch; lines stay where they are."""
    def emptied(match):
        return '""' * bool(match["text"]) + "\n" * match[0].count("\n")

    lines, depth_left_out, stack = CPP_TOKEN.sub(emptied, text).split("\n"), 0, []
    for number, line in enumerate(lines):
        directive = re.match(r"\s*#\s*(\w+)", line)
        if directive:
            word = directive[1]
            if word.startswith("if"):
                stack.append(False)
                depth_left_out += bool(depth_left_out)
            elif word.startswith("el") and stack and not stack[-1] and not depth_left_out:
                stack[-1], depth_left_out = True, 1
            elif word == "endif" and stack:
                stack.pop()
                depth_left_out -= bool(depth_left_out)
            end = number
            while lines[end].endswith("\\") and end + 1 < len(lines):
                lines[end] = ""
                end += 1
            lines[end] = ""
        elif depth_left_out:
            lines[number] = ""
    return "\n".join(lines)


def is_scope(head):
    """Whether a brace behind this text opens a namespace or a class, whose members are looked at one by one."""
    while (start := re.search(r"\btemplate\s*<", head)) is not None:
        end, depth = start.end(), 1
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[:start.start()] + head[end:]
    head = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|\b(?:public|private|protected|Q_SIGNALS|public Q_SLOTS)\s*:(?!:)|\b[A-Z][A-Z_]+(?:\([^()]*\))?", "",
                  head).strip()
    return bool(SCOPE.match(head)) and "(" not in head.split(":")[0]


def function_lengths(text):
    """Yields (name, line of the opening brace, lines to the closing one) for each function of a C++ file that stands in no other."""
    code = code_of(text)
    scopes, head_start, body, parentheses = 0, 0, None, 0
    for match in re.finditer(r"[{}();]", code):
        sign, at = match[0], match.start()
        if body:
            body["depth"] += {"{": 1, "}": -1}.get(sign, 0)
            if body["depth"] == 0:
                # A member's initialiser: the body is still to come.
                if body["function"] and re.match(r"\s*[,{]", code[at + 1:]):
                    body = None
                    continue
                if body["function"]:
                    first = code.count("\n", 0, body["at"]) + 1
                    yield body["name"], first, code.count("\n", 0, at) + 2 - first
                head_start, body = at + 1, None
        elif sign in "()":
            parentheses += 1 if sign == "(" else -1
        elif sign == "{":
            head = code[head_start:at]
            if parentheses == 0 and is_scope(head):
                scopes, head_start = scopes + 1, at + 1
            else:
                name = re.search(r"([\w:~]+|operator\S+)\s*\(", head)
                body = {"depth": 1, "at": at, "function": parentheses == 0 and name is not None, "name": name[1] if name else ""}
        elif sign == "}":
            scopes, head_start = scopes - 1, at + 1
        elif parentheses == 0:
            head_start = at + 1


def qml_function_lengths(text):
    """The same for the functions and the handlers of signals of a QML file, as qmlformat lays them out: the closing brace stands under the first letter."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        head = re.match(r"(\s*)(?:function (\w+)\(|(on[A-Z]\w*): ).*\{$", line)
        if head:
            end = next((at for at in range(number + 1, len(lines)) if re.match(head[1] + r"\}", lines[at])), number)
            yield head[2] or head[3], number + 1, end - number + 1


def python_function_lengths(text):
    """The same for a Python file; a function within another one is counted by itself, too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def comments(text, name):
    """Yields (line, words) for each comment of a file; a comment goes on over the lines that hold nothing else."""
    slashes = name.endswith((".cpp", ".h", ".qml", ".comp", ".mjs"))
    last_line, blocks = -1, []
    for match in (CPP_TOKEN if slashes else HASH_TOKEN).finditer(text):
        words = match["comment"] if slashes or match["comment"] else match["doc"]
        if words is None:
            continue
        line = text.count("\n", 0, match.start()) + 1
        alone = not text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip()
        words = re.sub(r"^(?://[/!]?<?|/\*+|#+!?)\s*", "", words)
        if "SPDX-License-Identifier" in words:
            continue
        if not (alone and line == last_line + 1):
            blocks.append((line, words))
        last_line = line + match[0].count("\n") if alone else -1
    yield from blocks
