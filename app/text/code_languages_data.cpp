// SPDX-License-Identifier: Apache-2.0
// Rows of formats for data, documents, queries and building.
#include "text/code_languages.h"

namespace coterie::app {

namespace {

using Form = CodeLanguage::Form;
using Opener = StringRule::Opener;
constexpr auto kManyLines = StringRule::ManyLines;
constexpr auto kVariables = StringRule::Variables;

constexpr StringRule kPlainStrings[] = {
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kDoubleQuotes[] = {
    {.begin = "\"", .end = "\""},
};
constexpr StringRule kYamlStrings[] = {
    {.begin = "\"", .end = "\"", .flags = kManyLines},
    {.begin = "'", .end = "'", .escape = 0, .flags = kManyLines | StringRule::Doubled},
};
constexpr StringRule kTomlStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines},
    {.begin = "'''", .end = "'''", .escape = 0, .flags = kManyLines},
    {.begin = "\"", .end = "\""},
    {.begin = "'", .end = "'", .escape = 0},
};
constexpr StringRule kSqlStrings[] = {
    {.begin = "'", .end = "'", .escape = 0, .flags = kManyLines | StringRule::Doubled},
    {.begin = "\"", .end = "\"", .escape = 0, .flags = StringRule::Doubled},
    {.begin = "`", .end = "`", .escape = 0},
};
constexpr StringRule kMakeStrings[] = {
    {.begin = "\"", .end = "\"", .flags = kVariables},
    {.begin = "'", .end = "'", .flags = kVariables},
};
constexpr StringRule kDockerStrings[] = {
    {.begin = "\"", .end = "\"", .flags = kVariables},
    {.begin = "'", .end = "'"},
};
constexpr StringRule kCmakeStrings[] = {
    {.begin = "#[", .escape = 0, .flags = kManyLines, .opener = Opener::LongBrackets, .colour = CodeColour::Comment},
    {.begin = "[", .escape = 0, .flags = kManyLines, .opener = Opener::LongBrackets},
    {.begin = "\"", .end = "\"", .flags = kManyLines | kVariables},
};
constexpr StringRule kLatexStrings[] = {
    {.begin = "$$", .end = "$$", .flags = kManyLines},
    {.begin = "$", .end = "$"},
};
constexpr StringRule kTerraformStrings[] = {
    {.begin = "<<", .flags = kManyLines, .opener = Opener::Heredoc},
    {.begin = "\"", .end = "\"", .inside = "${"},
};
constexpr StringRule kGraphStrings[] = {
    {.begin = "\"\"\"", .end = "\"\"\"", .flags = kManyLines},
    {.begin = "\"", .end = "\""},
};

constexpr CodeLanguage kLanguages[] = {
    {.names = "json jsonc json5 jsonl ndjson geojson ipynb webmanifest",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kPlainStrings,
     .keywords = "true false null Infinity NaN",
     .flags = CodeLanguage::KeyStrings},
    {.names = "yaml yml compose clang-format",
     .lineComments = "#",
     .strings = kYamlStrings,
     .keywords = "true false null True False yes no on off Yes No ~",
     .flags = CodeLanguage::KeyStrings,
     .form = Form::Yaml},
    {.names = "toml lock pipfile",
     .lineComments = "#",
     .strings = kTomlStrings,
     .keywords = "true false inf nan",
     .wordMarks = "-",
     .flags = CodeLanguage::Keys | CodeLanguage::KeyStrings | CodeLanguage::Sections | CodeLanguage::Assignments},
    {.names = "ini cfg conf dosini properties desktop service editorconfig gitconfig env dotenv",
     .lineComments = "; # !",
     .strings = kDoubleQuotes,
     .keywords = "true false yes no on off",
     .wordMarks = "-.",
     .flags = CodeLanguage::Keys | CodeLanguage::ColonKeys | CodeLanguage::Sections | CodeLanguage::AnyCase |
              CodeLanguage::CommentNeedsBlank},
    {.names = "xml svg xsd xsl xslt rss atom plist xaml csproj ui qrc xhtml mathml",
     .wordMarks = "-:.",
     .form = Form::Markup},
    {.names = "html htm html5 vue svelte astro handlebars hbs jinja jinja2 django",
     .wordMarks = "-:.",
     .flags = CodeLanguage::AnyCase,
     .form = Form::Markup},
    {.names = "css scss sass less postcss",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kPlainStrings,
     .wordMarks = "-",
     .sigils = "$",
     .flags = CodeLanguage::Stylesheet | CodeLanguage::Annotations | CodeLanguage::CommentNeedsBlank},
    {.names = "sql mysql postgresql postgres pgsql plpgsql sqlite tsql t-sql plsql mariadb psql bigquery",
     .lineComments = "--",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kSqlStrings,
     .keywords =
         "add after all alter analyze and any as asc auto_increment autoincrement before begin between by call cascade "
         "case check column commit constraint create cross current_date current_timestamp database declare default "
         "delete desc describe distinct do drop each else elsif end except exception exec execute exists explain "
         "false fetch filter first following for foreign from full function generated grant group having if ignore "
         "ilike in index inner insert intersect into is isnull join key language last lateral left like limit loop "
         "materialized merge natural next no not nothing notnull null nulls of offset on only or order outer over "
         "partition pragma preceding primary procedure range recursive references rename replace return returning "
         "returns revoke right rollback row rows savepoint select set show start table temp temporary then to "
         "transaction trigger true truncate unbounded union unique update use using vacuum values view virtual when "
         "where while window with within without",
     .types = "bigint bigserial binary bit blob bool boolean bytea char character date datetime decimal double enum "
              "float int "
              "integer interval json jsonb long longtext mediumint money nchar numeric nvarchar precision real serial "
              "smallint text time timestamp timestamptz tinyint uuid varbinary varchar xml",
     .functions = "avg coalesce count max min sum",
     .sigils = "@",
     .flags = CodeLanguage::AnyCase},
    {.names = "makefile make mk gnumakefile mf",
     .lineComments = "#",
     .strings = kMakeStrings,
     .keywords =
         "define else endef endif export ifdef ifeq ifndef ifneq include override private sinclude undefine unexport "
         "vpath -include",
     .wordMarks = "-",
     .sigils = "$",
     .flags =
         CodeLanguage::Keys | CodeLanguage::Targets | CodeLanguage::ShellVariables | CodeLanguage::CommentNeedsBlank},
    {.names = "dockerfile docker containerfile",
     .lineComments = "#",
     .strings = kDockerStrings,
     .keywords = "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL "
                 "STOPSIGNAL USER "
                 "VOLUME WORKDIR",
     .wordMarks = "-",
     .sigils = "$",
     .flags = CodeLanguage::CommentNeedsBlank | CodeLanguage::ShellVariables | CodeLanguage::Assignments},
    {.names = "cmake cmakelists.txt cmakelists",
     .lineComments = "#",
     .strings = kCmakeStrings,
     .keywords =
         "break continue else elseif endforeach endfunction endif endmacro endwhile foreach function if include macro "
         "return while AND COMMAND DEFINED DEPENDS EQUAL EXISTS FALSE GREATER IN INTERFACE LESS LISTS MATCHES NOT OFF "
         "ON OR PRIVATE PUBLIC REQUIRED SHARED STATIC STREQUAL TARGET TRUE VERSION",
     .sigils = "$",
     .flags = CodeLanguage::ShellVariables},
    {.names = "diff patch udiff", .form = Form::Diff},
    {.names = "latex tex bibtex bib sty cls",
     .lineComments = "%",
     .strings = kLatexStrings,
     .flags = CodeLanguage::Commands | CodeLanguage::NoNumbers},
    {.names = "markdown md mdx mkd rmd qmd", .form = Form::Markdown},
    {.names = "console shell-session shellsession sh-session terminal", .form = Form::Console},
    {.names = "terraform tf hcl tfvars nomad",
     .lineComments = "# //",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kTerraformStrings,
     .keywords =
         "data dynamic false for for_each if in locals module null output provider resource terraform true variable",
     .types = "any bool list map number object set string tuple",
     .wordMarks = "-",
     .flags = CodeLanguage::Assignments},
    {.names = "graphql gql",
     .lineComments = "#",
     .strings = kGraphStrings,
     .keywords = "directive enum extend false fragment implements input interface mutation null on query scalar schema "
                 "subscription true type union",
     .types = "Boolean Float ID Int String",
     .sigils = "$",
     .flags = CodeLanguage::Annotations | CodeLanguage::CapitalTypes},
    {.names = "protobuf proto proto3",
     .lineComments = "//",
     .blockBegin = "/*",
     .blockEnd = "*/",
     .strings = kPlainStrings,
     .keywords =
         "enum extend extensions false import map max message oneof option optional package public repeated required "
         "reserved returns rpc service stream syntax to true",
     .types =
         "bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64",
     .flags = CodeLanguage::CapitalTypes},
    {.names = "nginx nginxconf",
     .lineComments = "#",
     .strings = kPlainStrings,
     .keywords =
         "access_log add_header alias client_max_body_size error_log error_page events expires http if include index "
         "listen location off on proxy_pass proxy_set_header return rewrite root server server_name ssl_certificate "
         "ssl_certificate_key try_files upstream user worker_connections worker_processes",
     .sigils = "$",
     .flags = CodeLanguage::CommentNeedsBlank},
    {.names = "text txt plain plaintext output log none", .form = Form::Plain},
};

} // namespace

std::span<const CodeLanguage> dataLanguages() { return kLanguages; }

} // namespace coterie::app
