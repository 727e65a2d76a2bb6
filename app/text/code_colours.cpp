// SPDX-License-Identifier: Apache-2.0
// The name of a language as people write it, and one line at a time.
#include "text/code_colours.h"

#include "text/code_languages.h"
#include "text/code_scanner.h"

namespace coterie::app {

namespace {

/// Returns the language of a fence's text: "cpp", "python title=x", "{.rust}", "language-go", "src/main.c".
const LoadedLanguage* namedLanguage(QStringView name) {
    name = name.trimmed();
    while (!name.isEmpty() && (name.front() == u'{' || name.front() == u'.')) name = name.sliced(1);
    qsizetype end = 0;
    while (end < name.size() && !name[end].isSpace() && name[end] != u',' && name[end] != u'}' && name[end] != u'{')
        ++end;
    name = name.first(end);
    for (const QLatin1StringView prefix : {QLatin1StringView("language-"), QLatin1StringView("lang-")}) {
        if (name.startsWith(prefix, Qt::CaseInsensitive)) name = name.sliced(prefix.size());
    }
    if (const LoadedLanguage* const found = findLanguage(name)) return found;
    name = name.sliced(name.lastIndexOf(u'/') + 1);
    if (const LoadedLanguage* const found = findLanguage(name)) return found; // a file without a suffix: Makefile
    return findLanguage(name.sliced(name.lastIndexOf(u'.') + 1));
}

} // namespace

CodeColours::CodeColours(const QString& language) { state_.language = namedLanguage(language); }

std::vector<CodeSpan> CodeColours::nextLine(QStringView line) {
    std::vector<CodeSpan> spans;
    if (known()) CodeScanner(state_, line, spans).run();
    return spans;
}

} // namespace coterie::app
