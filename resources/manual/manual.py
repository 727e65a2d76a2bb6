#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a program's manual page and its completions for bash, zsh and fish, from its own --help: nothing is described a second time.

    manual.py PROGRAM --out FOLDER      FOLDER/man/NAME.1.gz, FOLDER/bash/NAME, FOLDER/zsh/_NAME, FOLDER/fish/NAME.fish

cmake/CoterieInstall.cmake runs it when the program is installed. It reads the help of CLI11, whose layout differs a little between versions.
"""
import argparse
import dataclasses
import gzip
import pathlib
import re
import subprocess

HEADING = re.compile(r"^(\S.*):$|^\[Option Group: (.*)\]$")
OPTION = re.compile(r"^ {2,12}(-[\w-]+(?:,\s*-[\w-]+)*)(?:( +)(\S.*))?$")  # "-h,--help", "--memory SIZE", in new versions also "-h,     --help"
ENTRY = re.compile(r"^ {2,4}(\S.*)$")
MORE = re.compile(r"^ {13,}\S")  # the text of the entry above goes on
GAP = re.compile(r"\s{2,}")
USUAL = {"options", "positionals", "subcommands"}
EXIT_STATUS = [("0", "It was done."), ("1", "It failed while it ran."), ("2", "The input or the call is wrong.")]


@dataclasses.dataclass
class Entry:
    """An option, a positional argument or a command."""
    head: str  # as the help shows it: "-h,--help", "--memory SIZE", "MODEL TEXT REQUIRED", "info"
    text: str = ""

    @property
    def names(self):
        return re.split(r",\s*", self.head.split(" ")[0])

    @property
    def value(self):
        """The text after the names: nothing if the option is a flag."""
        return self.head.partition(" ")[2]

    @property
    def choices(self):
        match = re.search(r"\{([^}]*)\}", self.value)
        return [choice.split("->")[0] for choice in match[1].split(",")] if match else []

    @property
    def takes(self):
        """Which kind of path the value is: "folder", "file" or none."""
        return "folder" if "FOLDER" in self.value or "-dir" in self.head else "file" if re.search(r"FILE|MODEL|TRACE|--out|--screenshot", self.head) else ""


@dataclasses.dataclass
class Help:
    about: str
    usage: str
    groups: list  # pairs of a title and entries

    def entries(self, title):
        return [entry for name, entries in self.groups if name.lower() == title for entry in entries]

    @property
    def commands(self):
        return self.entries("subcommands")

    @property
    def positionals(self):
        return self.entries("positionals")

    @property
    def options(self):
        return [entry for name, entries in self.groups if name.lower() not in {"subcommands", "positionals"} for entry in entries]


def entry_of(line):
    option = OPTION.match(line)
    if not option:
        head, *words = GAP.split(line.strip(), maxsplit=1)
        return Entry(head, words[0] if words else "")
    names = re.sub(r",\s*", ",", option[1])
    value, words = "", option[3] or ""
    if option[2] == " ":
        value, _, words = words.partition("  ")
    return Entry(f"{names} {value}".strip(), words.strip())


def parse(text):
    about, usage, groups = [], "", []
    for line in text.splitlines():
        heading = HEADING.match(line)
        if line.lower().startswith("usage:"):
            usage = line.partition(":")[2].strip()
        elif heading:
            groups.append((heading[1] or heading[2], []))
        elif not groups:
            about.append(line.strip())
        elif MORE.match(line) and groups[-1][1]:
            entry = groups[-1][1][-1]
            entry.text = f"{entry.text} {line.strip()}".strip()
        elif OPTION.match(line) or ENTRY.match(line):
            groups[-1][1].append(entry_of(line))
    return Help(" ".join(filter(None, about)), usage, groups)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Program:
    def __init__(self, path):
        self.name = path.name
        self.version = run(path, "--version").split()[1]
        self.help = parse(run(path, "--help"))
        self.commands = {command.names[0]: parse(run(path, command.names[0], "--help")) for command in self.help.commands}


# The manual page.

def roff(text):
    """The text in roff's own spelling."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


def head(entry):
    """The names in bold, the value in italics."""
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in entry.names)
    value = entry.value if entry.names[0].startswith("-") else ""  # the name of a positional argument says enough
    return names + (f" \\fI{roff(value)}\\fR" if value else "")


def listed(entries):
    for entry in entries:
        yield from (".TP", head(entry), roff(entry.text) or "\\&")


def described(help_, level):
    """The positionals and options of a program or command; groups of its own have a paragraph above them."""
    if help_.positionals:
        yield from ([".SH ARGUMENTS"] if level == "SH" else [])
        yield from listed(help_.positionals)
    for title, entries in help_.groups:
        if title.lower() in {"positionals", "subcommands"} or not entries:
            continue
        if level == "SH" and title.lower() == "options":
            yield ".SH OPTIONS"
        elif title.lower() not in USUAL:
            yield from (".PP", roff(title) + ":")
        yield from listed(entries)


def manual(program, others):
    help_ = program.help
    lines = [f'.TH {roff(program.name.upper())} 1 "" "Coterie {program.version}" "User Commands"',
             ".SH NAME", f"{roff(program.name)} \\- {roff(help_.about[:1].lower() + help_.about[1:])}",
             ".SH SYNOPSIS", f"\\fB{roff(program.name)}\\fR {roff(help_.usage.removeprefix(program.name).strip())}",
             ".SH DESCRIPTION", roff(help_.about) + ".",
             "Models are files in GGUF format. No network connection is ever opened.",
             *described(help_, "SH")]
    if program.commands:
        lines.append(".SH COMMANDS")
    for name, command in program.commands.items():
        lines += [f".SS {roff(name)}", roff(command.about) + ".", ".PP", f"\\fB{roff(command.usage)}\\fR", *described(command, "SS")]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_STATUS:
        lines += [".TP", f"\\fB{code}\\fR", meaning]
    lines += ["On 1 and 2, one line on standard error says what happened, why, and what to do.", ".SH SEE ALSO",
              ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


# Completions.

def flags(help_):
    return [name for entry in help_.options for name in entry.names]


def bash(program):
    """The words that fit the command and the option before the cursor."""
    function = "_" + program.name.replace("-", "_")
    cases = []
    for command, help_ in [("", program.help), *program.commands.items()]:
        for entry in help_.options:
            pattern = "|".join(f"{command}:{name}" for name in entry.names)
            if entry.choices:
                cases.append(f"        {pattern}) mapfile -t COMPREPLY < <(compgen -W '{' '.join(entry.choices)}' -- \"$word\"); return ;;")
            elif entry.takes == "folder":
                cases.append(f"        {pattern}) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;")
            elif entry.takes == "file" and entry.value:
                cases.append(f"        {pattern}) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;")
            elif entry.value:
                cases.append(f"        {pattern}) return ;;")
    words = "\n".join(f"        {command or chr(39) * 2}) words='{' '.join(flags(help_))}' ;;"
                      for command, help_ in [("", program.help), *program.commands.items()])
    names = " ".join(program.commands)
    search = f"""    for one in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case " {names} " in *" $one "*) command=$one; break ;; esac
    done
""" if names else ""
    first = f"""    if [ -z "$command" ]; then mapfile -t COMPREPLY < <(compgen -W "{names} $words" -- "$word"); return; fi
""" if names else ""
    return f"""# SPDX-License-Identifier: Apache-2.0
# Generated by resources/manual/manual.py from {program.name} --help.
{function}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command='' words one
    COMPREPLY=()
{search}    case "$command:$before" in
{chr(10).join(cases)}
    esac
    case $command in
{words}
    esac
{first}    case $word in
        -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -X '!*.@(gguf|json|jinja|csv)' -- "$word"; compgen -d -- "$word") ;;
    esac
}}
complete -o filenames -F {function} {program.name}
"""


def zsh_text(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_specs(help_):
    for entry in help_.options:
        action = f"({' '.join(entry.choices)})" if entry.choices else "_files -/" if entry.takes == "folder" else "_files" if entry.takes else " "
        value = f":{zsh_text(entry.value.split(' ')[0].split(':')[0].lower())}:{action}" if entry.value else ""
        for name in entry.names:
            yield f"'{name}[{zsh_text(entry.text)}]{value}'"


def zsh(program):
    lines = [f"#compdef {program.name}", "# SPDX-License-Identifier: Apache-2.0",
             f"# Generated by resources/manual/manual.py from {program.name} --help."]
    if not program.commands:
        return "\n".join([*lines, "_arguments \\", *(f"    {spec} \\" for spec in zsh_specs(program.help)), "    '*:model:_files -g \"*.gguf\"'"]) + "\n"
    lines += ["local context state line", "typeset -A opt_args", "_arguments -C \\", *(f"    {spec} \\" for spec in zsh_specs(program.help)),
              "    '1:command:->command' '*::argument:->argument'", "case $state in", "command)", "    local -a commands=("]
    lines += [f"        '{entry.names[0]}:{zsh_text(entry.text)}'" for entry in program.help.commands]
    lines += ["    )", f"    _describe command commands ;;", "argument)", "    case $line[1] in"]
    for name, help_ in program.commands.items():
        lines += [f"    {name}) _arguments \\", *(f"        {spec} \\" for spec in zsh_specs(help_)), "        '*:file:_files' ;;"]
    return "\n".join([*lines, "    esac ;;", "esac"]) + "\n"


def fish_text(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish_lines(program, help_, condition):
    for entry in help_.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in entry.names)
        value = (f" -x -a '{' '.join(entry.choices)}'" if entry.choices else " -x -a '(__fish_complete_directories)'" if entry.takes == "folder"
                 else " -r -F" if entry.takes and entry.value else " -x" if entry.value else "")
        yield f"complete -c {program.name}{condition} {names}{value} -d '{fish_text(entry.text)}'"


def fish(program):
    lines = ["# SPDX-License-Identifier: Apache-2.0", f"# Generated by resources/manual/manual.py from {program.name} --help."]
    lines += fish_lines(program, program.help, " -n __fish_use_subcommand" if program.commands else "")
    for entry in program.help.commands:
        lines.append(f"complete -c {program.name} -f -n __fish_use_subcommand -a {entry.names[0]} -d '{fish_text(entry.text)}'")
    for name, help_ in program.commands.items():
        lines += fish_lines(program, help_, f" -n '__fish_seen_subcommand_from {name}'")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    program = Program(options.program.resolve())
    name, others = program.name, sorted({"coterie", "coterie-cli"} - {program.name})
    page = gzip.compress(manual(program, others).encode(), 9, mtime=0)  # without a time, so that the same page has the same bytes
    for file, content in {f"man/{name}.1.gz": page, f"bash/{name}": bash(program).encode(), f"zsh/_{name}": zsh(program).encode(),
                          f"fish/{name}.fish": fish(program).encode()}.items():
        path = options.out / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
