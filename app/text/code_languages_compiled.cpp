// SPDX-License-Identifier: Apache-2.0
// Rows of languages that are mostly compiled.
#include "text/code_languages.h"

namespace coterie::app {

namespace {

using Opener = StringRule::Opener;
constexpr auto kManyLines = StringRule::ManyLines;

constexpr StringRule kCStrings[] = {
    {.begin = "\"", .end = "\"", .prefixes = "L u U u8"},
    {.begin = "'", .end = "'", .prefixes = "L u U u8"},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kCppStrings[] = {
    {.begin = "\"", .escape = 0, .flags = kManyLines, .prefixes = "R LR uR UR u8R", .opener = Opener::CppRaw},
    {.begin = "\"", .end = "\"", .prefixes = "L u U u8"},
    {.begin = "'", .end = "'", .prefixes = "L u U u8"},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kObjectiveStrings[] = {
    {.begin = "@\"", .end = "\""},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr uint8_t kInsideTwice = StringRule::DoubledInside;
constexpr StringRule kSharpStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines},
    {.begin = "$\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines | kInsideTwice, .inside = "{"},
    {.begin = "$@\"",
     .end = "\"",
     .escape = 0,
     .flags = kManyLines | StringRule::Doubled | kInsideTwice,
     .inside = "{"},
    {.begin = "@$\"",
     .end = "\"",
     .escape = 0,
     .flags = kManyLines | StringRule::Doubled | kInsideTwice,
     .inside = "{"},
    {.begin = "$\"", .end = "\"", .flags = kInsideTwice, .inside = "{"},
    {.begin = "@\"", .end = "\"", .escape = 0, .flags = kManyLines | StringRule::Doubled},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kJavaStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kKotlinStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines | StringRule::Variables, .inside = "${"},
    {.begin = "\"", .end = "\"", .flags = StringRule::Variables, .inside = "${"},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kScalaStrings[] = {
    {.begin = "\"\"\"",
     .end = "\"\"\"",
     .escape = 0,
     .flags = kManyLines | StringRule::Variables,
     .inside = "${",
     .prefixes = "s f raw"},
    {.begin = "\"", .end = "\"", .flags = StringRule::Variables, .inside = "${", .prefixes = "s f raw"},
    {.begin = "\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'", .opener = Opener::OneLetter},
};
constexpr StringRule kSwiftStrings[] = {
    {.begin = "#", .escape = 0, .flags = kManyLines, .opener = Opener::Hashes},
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines, .inside = "\\("},
    {.begin = "\"", .end = "\"", .inside = "\\("},
};
constexpr StringRule kGoStrings[] = {
    {.begin = "`", .end = "`", .escape = 0, .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kRustStrings[] = {
    {.begin = "#", .escape = 0, .flags = kManyLines, .prefixes = "r br cr", .opener = Opener::Hashes},
    {.begin = "\"", .end = "\"", .escape = 0, .flags = kManyLines, .prefixes = "r br cr"},
    {.begin = "\"", .end = "\"", .flags = kManyLines, .prefixes = "b c"},
    {.begin = "'", .end = "'", .prefixes = "b", .opener = Opener::OneLetter},
    {.begin = "\"", .end = "\"", .flags = kManyLines},
    {.begin = "'", .end = "'", .opener = Opener::OneLetter},
};
constexpr StringRule kDartStrings[] = {
    {.begin = "'''", .end = "'''", .escape = 0, .flags = kManyLines, .prefixes = "r"},
    {.begin = "\"\"\"", .end = "\"\"\"", .escape = 0, .flags = kManyLines, .prefixes = "r"},
    {.begin = "'", .end = "'", .escape = 0, .prefixes = "r"},
    {.begin = "\"", .end = "\"", .escape = 0, .prefixes = "r"},
    {.begin = "'''", .end = "'''", .flags = kManyLines | StringRule::Variables, .inside = "${"},
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines | StringRule::Variables, .inside = "${"},
    {.begin = "'", .end = "'", .flags = StringRule::Variables, .inside = "${"},
    {.begin = "\"", .end = "\"", .flags = StringRule::Variables, .inside = "${"},
};
constexpr StringRule kHaskellStrings[] = {
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'", .opener = Opener::OneLetter},
};
constexpr StringRule kZigStrings[] = {
    {.begin = "\\\\", .end = "\n", .escape = 0},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kPascalStrings[] = {
    {.begin = "'", .end = "'", .escape = 0, .flags = StringRule::Doubled},
};
constexpr StringRule kFortranStrings[] = {
    {.begin = "'", .end = "'", .escape = 0, .flags = StringRule::Doubled},
    {.begin = "\"", .end = "\"", .escape = 0, .flags = StringRule::Doubled},
};
constexpr StringRule kBasicStrings[] = {
    {.begin = "\"", .end = "\"", .escape = 0, .flags = StringRule::Doubled},
};

constexpr CodeLanguage kLanguages[] = {
    {.names = "c h",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kCStrings,
     .keywords =
         "auto break case const constexpr continue default do else enum extern false for goto if inline nullptr "
         "register "
         "restrict return sizeof static static_assert struct switch thread_local true typedef typeof union volatile "
         "while _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local NULL",
     .types =
         "bool char double float int long short signed unsigned void _Bool _Complex size_t ssize_t ptrdiff_t intptr_t "
         "uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t wchar_t FILE time_t va_list",
     .flags = CodeLanguage::Directives | CodeLanguage::QuotesInNumbers},
    {.names = "cpp c++ cc cxx hpp hh hxx h++ cuda cu cppm ino arduino",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kCppStrings,
     .keywords =
         "alignas alignof and asm auto break case catch class co_await co_return co_yield concept const const_cast "
         "consteval constexpr constinit continue decltype default delete do dynamic_cast else enum explicit export "
         "extern false final for friend goto if import inline module mutable namespace new noexcept not nullptr "
         "operator or override private protected public register reinterpret_cast requires return sizeof static "
         "static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename "
         "union using virtual volatile while xor __global__ __device__ __host__ __shared__ NULL",
     .types =
         "bool char char8_t char16_t char32_t double float int long short signed unsigned void wchar_t size_t ssize_t "
         "ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t string "
         "string_view vector map set pair tuple optional variant array unordered_map unordered_set unique_ptr "
         "shared_ptr weak_ptr function span deque list queue stack",
     .flags = CodeLanguage::Directives | CodeLanguage::QuotesInNumbers | CodeLanguage::CapitalTypes},
    {.names = "objectivec objective-c objc obj-c mm",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kObjectiveStrings,
     .keywords =
         "auto break case const continue default do else enum extern for goto if in inline nil Nil NO NULL register "
         "return self sizeof static struct super switch typedef union volatile while YES __block __weak nonatomic "
         "strong weak copy assign readonly readwrite nullable nonnull",
     .types = "bool BOOL char double float id instancetype int long short signed unsigned void Class SEL IMP",
     .flags = CodeLanguage::Directives | CodeLanguage::Annotations | CodeLanguage::CapitalTypes},
    {.names = "csharp cs c# dotnet",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kSharpStrings,
     .keywords =
         "abstract add and as async await base break case catch checked class const continue default delegate do else "
         "enum event explicit extern false finally fixed for foreach from get global goto group if implicit in init "
         "interface internal into is join let lock nameof namespace new not null on operator or orderby out override "
         "params partial private protected public readonly record ref remove required return sealed select set "
         "sizeof stackalloc static struct switch this throw true try typeof unchecked unsafe using value virtual "
         "volatile when where while with yield",
     .types =
         "bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort "
         "var void",
     .flags = CodeLanguage::Directives | CodeLanguage::CapitalTypes},
    {.names = "java jsp",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kJavaStrings,
     .keywords =
         "abstract assert break case catch class const continue default do else enum exports extends false final "
         "finally for goto if implements import instanceof interface module native new null package permits private "
         "protected public record requires return sealed static strictfp super switch synchronized this throw "
         "throws transient true try var volatile while yield",
     .types = "boolean byte char double float int long short void",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls},
    {.names = "kotlin kt kts",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kKotlinStrings,
     .keywords =
         "abstract actual annotation as break by catch class companion const constructor continue crossinline data do "
         "else enum expect external false final finally for fun get if import in infix init inline inner interface "
         "internal is it lateinit noinline null object open operator out override package private protected public "
         "reified return sealed set super suspend tailrec this throw true try typealias val value var vararg when "
         "where while",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls |
              CodeLanguage::NestedComments},
    {.names = "scala sc sbt",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kScalaStrings,
     .keywords =
         "abstract case catch class def derives do else end enum export extends extension false final finally for "
         "forSome given if implicit import inline lazy match new null object opaque open override package private "
         "protected return sealed super then this throw trait transparent true try type using val var while with "
         "yield",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls |
              CodeLanguage::NestedComments},
    {.names = "swift",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kSwiftStrings,
     .keywords =
         "actor any as associatedtype async await break case catch class continue convenience default defer deinit do "
         "else enum extension fallthrough false fileprivate final for func get guard if import in indirect infix "
         "init inout internal is lazy let mutating nil nonisolated open operator optional override postfix prefix "
         "private protocol public repeat required rethrows return self Self set some static struct subscript super "
         "switch throw throws true try typealias unowned var weak where while willSet didSet",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls |
              CodeLanguage::NestedComments | CodeLanguage::Directives},
    {.names = "go golang",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kGoStrings,
     .keywords =
         "break case chan const continue default defer else fallthrough false for func go goto if import interface "
         "iota map nil package range return select struct switch true type var",
     .types =
         "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string "
         "uint uint8 uint16 uint32 uint64 uintptr"},
    {.names = "rust rs",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kRustStrings,
     .keywords =
         "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
         "move mut pub ref return self Self static struct super trait true type union unsafe use where while",
     .types = "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
     .flags = CodeLanguage::NestedComments | CodeLanguage::Attributes | CodeLanguage::Macros | CodeLanguage::Lifetimes |
              CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls},
    {.names = "dart flutter",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kDartStrings,
     .keywords =
         "abstract as assert async await base break case catch class const continue covariant default deferred do "
         "dynamic else enum export extends extension external factory false final finally for get hide if implements "
         "import in interface is late library mixin new null of on operator part required rethrow return sealed set "
         "show static super switch sync this throw true try typedef var when while with yield",
     .types = "bool double int num void",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls |
              CodeLanguage::NestedComments},
    {.names = "haskell hs lhs",
     .lineComments = "--",
     .blockBegin = "{-",
     .blockEnd = "-}",
     .strings = kHaskellStrings,
     .keywords =
         "as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr "
         "instance let mdo module newtype of pattern qualified rec then type where",
     .wordMarks = "'",
     .flags = CodeLanguage::NestedComments | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls},
    {.names = "ocaml ml mli",
     .blockBegin = "(*",
     .blockEnd = "*)",
     .strings = kHaskellStrings,
     .keywords =
         "and as assert begin class constraint do done downto else end exception external false for fun function "
         "functor if in include inherit initializer lazy let match method module mutable new nonrec object of open "
         "or private rec sig struct then to true try type val virtual when while with",
     .types = "array bool bytes char exn float int int32 int64 list option string unit",
     .wordMarks = "'",
     .flags = CodeLanguage::NestedComments | CodeLanguage::CapitalTypes | CodeLanguage::CapitalCalls},
    {.names = "fsharp fs f# fsx",
     .lineComments = "//",
     .blockBegin = "(*",
     .blockEnd = "*)",
     .strings = kJavaStrings,
     .keywords =
         "abstract and as assert base begin class default delegate do done downcast downto elif else end exception "
         "extern false finally for fun function global if in inherit inline interface internal lazy let match member "
         "module mutable namespace new not null of open or override private public rec return static struct then to "
         "true try type upcast use val void when while with yield",
     .types = "bool byte char decimal double float int int64 list option seq string unit",
     .wordMarks = "!",
     .flags = CodeLanguage::CapitalTypes | CodeLanguage::NestedComments | CodeLanguage::Directives},
    {.names = "zig",
     .lineComments = "//",
     .strings = kZigStrings,
     .keywords =
         "align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else enum "
         "errdefer error export extern false fn for if inline noalias noinline null opaque or orelse packed pub "
         "resume return struct suspend switch test threadlocal true try undefined union unreachable usingnamespace "
         "var volatile while",
     .types =
         "anyerror anyopaque bool c_int f16 f32 f64 i8 i16 i32 i64 i128 isize noreturn type u8 u16 u32 u64 u128 usize "
         "void",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes},
    {.names = "glsl hlsl wgsl vert frag comp metal shader",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kCStrings,
     .keywords =
         "attribute break buffer case cbuffer centroid const continue default discard do else false flat fn for highp "
         "if in inout invariant layout let lowp mediump out precision readonly return shared smooth static struct "
         "switch true uniform var varying void volatile while writeonly",
     .types = "bool bvec2 bvec3 bvec4 double dvec2 dvec3 dvec4 f32 float float2 float3 float4 float4x4 i32 image2D int "
              "ivec2 "
              "ivec3 ivec4 mat2 mat3 mat4 sampler2D sampler3D samplerCube u32 uint uvec2 uvec3 uvec4 vec2 vec3 vec4",
     .flags = CodeLanguage::Directives | CodeLanguage::Annotations},
    {.names = "pascal delphi pas objectpascal",
     .lineComments = "//",
     .blockBegin = "{",
     .blockEnd = "}",
     .strings = kPascalStrings,
     .keywords =
         "and array as begin case class const constructor destructor div do downto else end except exports false file "
         "finalization finally for function goto if implementation in inherited initialization inline interface is "
         "label library mod nil not object of on or out override packed private procedure program property protected "
         "public published raise record repeat set shl shr then to true try type unit until uses var virtual while "
         "with xor",
     .types =
         "boolean byte cardinal char double extended int64 integer longint pchar real shortint single smallint string "
         "variant word",
     .flags = CodeLanguage::AnyCase},
    {.names = "fortran f90 f95 f03 f08 for",
     .lineComments = "!",
     .strings = kFortranStrings,
     .keywords =
         "allocatable allocate associate block call case class close contains continue cycle data deallocate dimension "
         "do else elseif elemental end enddo endif exit external forall format function goto if implicit import in "
         "inout intent interface intrinsic kind len module none only open optional out parameter pointer print "
         "private procedure program public pure read recursive result return save select stop subroutine target "
         "then type use where while write",
     .types = "character complex double integer logical precision real",
     .flags = CodeLanguage::AnyCase},
    {.names = "vb vbnet vb.net visualbasic vba vbs bas basic",
     .lineComments = "' rem",
     .strings = kBasicStrings,
     .keywords =
         "addhandler and andalso as byref byval call case catch class const continue dim do each else elseif end enum "
         "erase error event exit false finally for friend function get goto handles if implements imports in "
         "inherits interface is isnot let lib loop me mod module mustinherit mustoverride mybase namespace new next "
         "not nothing of on operator option optional or orelse overloads overridable overrides paramarray partial "
         "private property protected public raiseevent readonly redim return select set shared static step stop "
         "structure sub then throw to true try using wend when while with withevents xor",
     .types = "boolean byte char date decimal double integer long object short single string variant",
     .flags = CodeLanguage::AnyCase | CodeLanguage::Directives | CodeLanguage::CommentNeedsBlank},
    {.names = "solidity sol",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kCStrings,
     .keywords =
         "abstract anonymous as assembly break calldata case catch constant constructor continue contract default "
         "delete do else emit enum error event external false fallback for function if immutable import indexed "
         "interface internal is library mapping memory modifier new override payable pragma private public pure "
         "receive return returns revert storage struct super switch this throw true try type unchecked using view "
         "virtual while",
     .types = "address bool byte bytes bytes32 fixed int int256 string uint uint8 uint128 uint256 var",
     .flags = CodeLanguage::CapitalTypes},
    {.names = "asm assembly nasm x86asm s arm",
     .lineComments = "; // #",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kCStrings,
     .keywords =
         "adc add addi and b bl blr bx call cmp cmpq dec div global global_start extern idiv imul inc int ja jae jb "
         "jbe je jg jge jl jle jmp jne jnz jz ldr ldp lea leaq leave li lw loop mov movl movq movsx movzx mul neg "
         "nop not or pop popq push pushq ret section sar shl shr stp str sub subq sw svc syscall test xor xorl",
     .types = "byte db dd dq dw dword equ ptr qword resb resd resq resw times word",
     .sigils = "%",
     .flags = CodeLanguage::AnyCase | CodeLanguage::CommentNeedsBlank},
};

} // namespace

std::span<const CodeLanguage> compiledLanguages() { return kLanguages; }

} // namespace coterie::app
