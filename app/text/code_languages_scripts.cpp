// SPDX-License-Identifier: Apache-2.0
// Rows of languages for scripts, shells and functions.
#include "text/code_languages.h"

namespace coterie::app {

namespace {

using Opener = StringRule::Opener;
constexpr auto kManyLines = StringRule::ManyLines;
constexpr auto kVariables = StringRule::Variables;
constexpr auto kInsideTwice = StringRule::DoubledInside;

constexpr StringRule kPythonStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines | kInsideTwice, .inside = "{", .prefixes = "f fr rf t"},
    {.begin = "'''", .end = "'''", .flags = kManyLines | kInsideTwice, .inside = "{", .prefixes = "f fr rf t"},
    {.begin = "\"", .end = "\"", .flags = kInsideTwice, .inside = "{", .prefixes = "f fr rf t"},
    {.begin = "'", .end = "'", .flags = kInsideTwice, .inside = "{", .prefixes = "f fr rf t"},
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines, .prefixes = "r u b br rb"},
    {.begin = "'''", .end = "'''", .flags = kManyLines, .prefixes = "r u b br rb"},
    {.begin = "\"", .end = "\"", .prefixes = "r u b br rb"},
    {.begin = "'", .end = "'", .prefixes = "r u b br rb"},
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines},
    {.begin = "'''", .end = "'''", .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kScriptStrings[] = {
    {.begin = "`", .end = "`", .flags = kManyLines, .inside = "${"},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kShellStrings[] = {
    {.begin = "$'", .end = "'", .flags = kManyLines},
    {.begin = "\"", .end = "\"", .flags = kManyLines | kVariables, .inside = "$("},
    {.begin = "'", .end = "'", .escape = 0, .flags = kManyLines},
    {.begin = "<<", .flags = kManyLines | kVariables, .opener = Opener::Heredoc},
};
constexpr StringRule kPowerStrings[] = {
    {.begin = "@\"", .end = "\"@", .escape = '`', .flags = kManyLines | kVariables, .inside = "$("},
    {.begin = "@'", .end = "'@", .escape = 0, .flags = kManyLines},
    {.begin = "\"", .end = "\"", .escape = '`', .flags = kManyLines | kVariables, .inside = "$("},
    {.begin = "'", .end = "'", .escape = 0, .flags = kManyLines | StringRule::Doubled},
};
constexpr StringRule kRubyStrings[] = {
    {.begin = "=begin",
     .end = "=end",
     .escape = 0,
     .flags = kManyLines | StringRule::LineStart,
     .colour = CodeColour::Comment},
    {.begin = "\"", .end = "\"", .flags = kManyLines, .inside = "#{"},
    {.begin = "'", .end = "'", .flags = kManyLines},
    {.begin = "`", .end = "`", .inside = "#{"},
    {.flags = kManyLines, .opener = Opener::Percent},
    {.begin = "<<", .flags = kManyLines, .inside = "#{", .opener = Opener::Heredoc},
};
constexpr StringRule kPhpStrings[] = {
    {.begin = "<<<", .flags = kManyLines | kVariables, .opener = Opener::Heredoc},
    {.begin = "\"", .end = "\"", .flags = kManyLines | kVariables},
    {.begin = "'", .end = "'", .flags = kManyLines},
    {.begin = "`", .end = "`", .flags = kVariables},
};
constexpr StringRule kPerlStrings[] = {
    {.begin = "=pod",
     .end = "=cut",
     .escape = 0,
     .flags = kManyLines | StringRule::LineStart,
     .colour = CodeColour::Comment},
    {.begin = "=head",
     .end = "=cut",
     .escape = 0,
     .flags = kManyLines | StringRule::LineStart,
     .colour = CodeColour::Comment},
    {.begin = "<<", .flags = kManyLines | kVariables, .opener = Opener::Heredoc},
    {.flags = kManyLines, .prefixes = "q qq qw qr m s tr y", .opener = Opener::Quote},
    {.begin = "\"", .end = "\"", .flags = kManyLines | kVariables},
    {.begin = "'", .end = "'", .flags = kManyLines},
    {.begin = "`", .end = "`", .flags = kVariables},
};
constexpr StringRule kLuaStrings[] = {
    {.begin = "--[", .escape = 0, .flags = kManyLines, .opener = Opener::LongBrackets, .colour = CodeColour::Comment},
    {.begin = "[", .escape = 0, .flags = kManyLines, .opener = Opener::LongBrackets},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kRStrings[] = {
    {.begin = "\"", .end = "\"", .flags = kManyLines},
    {.begin = "'", .end = "'", .flags = kManyLines},
};
constexpr StringRule kJuliaStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines | kVariables, .inside = "$("},
    {.begin = "\"", .end = "\"", .flags = kManyLines | kVariables, .inside = "$("},
    {.begin = "'", .end = "'", .opener = Opener::OneLetter},
};
constexpr StringRule kElixirStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines, .inside = "#{"},
    {.begin = "\"", .end = "\"", .flags = kManyLines, .inside = "#{"},
    {.begin = "'", .end = "'", .inside = "#{"},
};
constexpr StringRule kQuotedStrings[] = {
    {.begin = "\"", .end = "\"", .flags = kManyLines},
};
constexpr StringRule kGroovyStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines | kVariables, .inside = "${"},
    {.begin = "'''", .end = "'''", .flags = kManyLines},
    {.begin = "\"", .end = "\"", .flags = kVariables, .inside = "${"},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kNimStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'", .opener = Opener::OneLetter},
};

constexpr CodeLanguage kLanguages[] = {
    {.names = "python py python3 py3 pyi pyw ipython gyp sage starlark bzl",
     .lineComments = "#",
     .strings = kPythonStrings,
     .keywords =
         "and as assert async await break case class cls continue def del elif else except False finally for from "
         "global "
         "if import in is lambda match None nonlocal not or pass raise return self super True try while with yield",
     .types = "bool bytearray bytes complex dict float frozenset int list object set str tuple type",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls},
    {.names = "javascript js jsx mjs cjs node ecmascript",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kScriptStrings,
     .keywords =
         "as async await break case catch class const continue debugger default delete do else export extends false "
         "finally for from function get if import in instanceof let new null of return set static super switch this "
         "throw true try typeof undefined var void while with yield",
     .wordMarks = "$",
     .flags =
         CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls | CodeLanguage::Regexes},
    {.names = "typescript ts tsx mts cts",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kScriptStrings,
     .keywords =
         "abstract as asserts async await break case catch class const continue debugger declare default delete do "
         "else enum export extends false finally for from function get if implements import in infer instanceof "
         "interface is keyof let module namespace new null of override private protected public readonly return "
         "satisfies set static super switch this throw true try type typeof undefined var void while with yield",
     .types = "any bigint boolean never number object string symbol unknown",
     .wordMarks = "$",
     .flags =
         CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls | CodeLanguage::Regexes},
    {.names = "qml",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kScriptStrings,
     .keywords =
         "alias as break case catch component const continue default delete do else enum false finally for function if "
         "import in instanceof let new null of on pragma property readonly required return signal switch this throw "
         "true try typeof undefined var while",
     .types = "bool color date double int list point real rect size string url void",
     .wordMarks = "$",
     .flags = CodeLanguage::CapitalTypes | CodeLanguage::Regexes | CodeLanguage::ColonKeys},
    {.names = "bash sh shell zsh ksh fish bashrc zshrc profile",
     .lineComments = "#",
     .strings = kShellStrings,
     .keywords =
         "break case continue do done elif else esac exit fi for function if in return select then time until while",
     .functions =
         "alias awk cat cd chmod chown cp curl declare echo eval exec export find git grep kill ln local ls make mkdir "
         "mv printf pwd read readonly rm sed set shift sort source sudo tail tar tee test touch trap type typeset "
         "unset wget xargs",
     .wordMarks = "-",
     .sigils = "$",
     .flags = CodeLanguage::CommentNeedsBlank | CodeLanguage::ShellVariables | CodeLanguage::LooseHeredoc |
              CodeLanguage::Assignments},
    {.names = "powershell ps1 pwsh posh psm1",
     .lineComments = "#",
     .blockBegin = "<#",
     .blockEnd = "#>",
     .strings = kPowerStrings,
     .keywords =
         "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach "
         "from function if in param process return switch throw trap try until using while",
     .types =
         "array bool boolean byte char datetime double float guid hashtable int int32 int64 long object pscustomobject "
         "pscredential regex string switch void xml",
     .wordMarks = "-",
     .sigils = "$",
     .flags = CodeLanguage::AnyCase | CodeLanguage::ShellVariables | CodeLanguage::DashCalls},
    {.names = "batch bat cmd dos",
     .lineComments = ":: rem REM",
     .strings = kQuotedStrings,
     .keywords = "call defined do else equ errorlevel exist exit for geq goto gtr if in leq lss neq not pause setlocal "
                 "endlocal shift",
     .functions = "cd copy del dir echo md mkdir move rd ren rmdir set start type xcopy",
     .sigils = "%",
     .flags = CodeLanguage::AnyCase | CodeLanguage::CommentNeedsBlank},
    {.names = "ruby rb gemspec rakefile gemfile podfile erb",
     .lineComments = "#",
     .strings = kRubyStrings,
     .keywords =
         "alias and begin break case class def defined do else elsif end ensure extend false for if in include "
         "attr_accessor attr_reader attr_writer module next nil not or prepend private protected public raise redo "
         "require require_relative rescue retry return self super then true undef unless until when while yield",
     .wordMarks = "?!",
     .sigils = "@$",
     .flags = CodeLanguage::CapitalTypes | CodeLanguage::Regexes | CodeLanguage::Symbols},
    {.names = "php php3 php8 phtml",
     .lineComments = "// #",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kPhpStrings,
     .keywords =
         "abstract and array as break callable case catch class clone const continue declare default do echo else "
         "elseif empty enum extends false final finally fn for foreach function global goto if implements include "
         "include_once instanceof insteadof interface isset list match namespace new null or parent print private "
         "protected public readonly require require_once return self static switch throw trait true try unset use "
         "var while xor yield",
     .types = "bool float int iterable mixed never object string void",
     .sigils = "$",
     .flags = CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls | CodeLanguage::Attributes |
              CodeLanguage::TemplateEnd},
    {.names = "perl pl pm perl5 raku",
     .lineComments = "#",
     .strings = kPerlStrings,
     .keywords =
         "and cmp continue defined delete do each else elsif eq eval exists for foreach ge given gt if last le local "
         "lt my ne next no not or our package redo require return sub undef unless until use wantarray when while "
         "xor",
     .functions =
         "chomp close die join keys length map open pop print printf push ref reverse say scalar shift sort splice "
         "split sprintf unshift values warn",
     .sigils = "$@%",
     .flags = CodeLanguage::Regexes | CodeLanguage::CapitalTypes | CodeLanguage::CommentNeedsBlank |
              CodeLanguage::ShellVariables},
    {.names = "lua luau",
     .lineComments = "--",
     .strings = kLuaStrings,
     .keywords =
         "and break do else elseif end false for function goto if in local nil not or repeat return self then true "
         "until while"},
    {.names = "r rscript splus",
     .lineComments = "#",
     .strings = kRStrings,
     .keywords = "break else FALSE for function if in Inf library NA NaN next NULL repeat return TRUE while",
     .wordMarks = "."},
    {.names = "julia jl",
     .lineComments = "#",
     .blockBegin = "#=",
     .blockEnd = "=#",
     .strings = kJuliaStrings,
     .keywords =
         "abstract baremodule begin break catch const continue do else elseif end export false finally for function "
         "global if import in isa let local macro missing module mutable nothing primitive quote return struct true "
         "try type using where while",
     .wordMarks = "!",
     .flags = CodeLanguage::NestedComments | CodeLanguage::Annotations | CodeLanguage::CapitalTypes |
              CodeLanguage::CapitalCalls},
    {.names = "matlab octave",
     .lineComments = "% #",
     .blockBegin = "%{",
     .blockEnd = "%}",
     .strings = kRStrings,
     .keywords =
         "break case catch classdef continue else elseif end endfunction endif endwhile enumeration events false for "
         "function global if methods otherwise parfor persistent properties return switch true try while"},
    {.names = "elixir ex exs heex",
     .lineComments = "#",
     .strings = kElixirStrings,
     .keywords =
         "after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmodule defp "
         "defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue "
         "reraise super throw true try unless unquote use when with",
     .wordMarks = "?!",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::Symbols},
    {.names = "erlang erl hrl",
     .lineComments = "%",
     .strings = kRStrings,
     .keywords =
         "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of or "
         "orelse receive rem try when xor",
     .flags = CodeLanguage::CapitalTypes},
    {.names = "lisp commonlisp common-lisp elisp emacs-lisp el scheme scm racket rkt",
     .lineComments = ";",
     .blockBegin = "#|",
     .blockEnd = "|#",
     .strings = kQuotedStrings,
     .keywords =
         "and begin case cond define define-syntax defmacro defparameter defun defvar defclass defmethod do dolist "
         "dotimes else if lambda let let* letrec loop nil not or progn quote set! setf setq t unless when while",
     .wordMarks = "-+*/<>=?!",
     .flags = CodeLanguage::NestedComments | CodeLanguage::HeadIsCall | CodeLanguage::Symbols},
    {.names = "clojure clj cljs cljc edn",
     .lineComments = ";",
     .strings = kQuotedStrings,
     .keywords =
         "and case catch cond cond-> def defmacro defmethod defmulti defn defn- defprotocol defrecord do doseq dotimes "
         "false finally fn for if if-let if-not import let loop nil not ns or quote recur require throw true try "
         "when when-let when-not while",
     .wordMarks = "-+*/<>=?!.'",
     .flags = CodeLanguage::HeadIsCall | CodeLanguage::Symbols},
    {.names = "groovy gradle gvy jenkinsfile",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kGroovyStrings,
     .keywords =
         "abstract as assert break case catch class const continue def default do else enum extends false final "
         "finally "
         "for if implements import in instanceof interface native new null package private protected public return "
         "static super switch synchronized this throw throws trait true try var while",
     .types = "boolean byte char double float int long short void",
     .flags =
         CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls | CodeLanguage::Regexes},
    {.names = "nim nims",
     .lineComments = "#",
     .blockBegin = "#[",
     .blockEnd = "]#",
     .strings = kNimStrings,
     .keywords =
         "addr and as asm bind block break case cast concept const continue converter defer discard distinct div do "
         "elif else end enum except export false finally for from func if import in include interface is isnot "
         "iterator let macro method mixin mod nil not notin object of or out proc ptr raise ref return shl shr "
         "static template true try tuple type using var when while xor yield",
     .types = "bool char float float32 float64 int int8 int16 int32 int64 seq string uint uint8 void",
     .flags = CodeLanguage::NestedComments | CodeLanguage::CapitalTypes},
    {.names = "awk gawk",
     .lineComments = "#",
     .strings = kQuotedStrings,
     .keywords =
         "BEGIN END break continue delete do else exit for function getline if in next print printf return while",
     .sigils = "$",
     .flags = CodeLanguage::Regexes | CodeLanguage::ShellVariables},
};

} // namespace

std::span<const CodeLanguage> scriptLanguages() { return kLanguages; }

} // namespace coterie::app
