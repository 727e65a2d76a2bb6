// SPDX-License-Identifier: Apache-2.0
// Finding languages by name, and words in them.
#include "text/code_languages.h"

#include <QVarLengthArray>

#include <algorithm>
#include <map>
#include <mutex>

namespace coterie::app {

namespace {

/// Calls take(word) for each word of a list that blanks separate, until it returns true.
template <typename Take>
bool anyWord(std::string_view list, Take take) {
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(' '));
        if (!word.empty() && take(word)) return true;
        list.remove_prefix(std::min(list.size(), word.size() + 1));
    }
    return false;
}

const CodeLanguage* findRow(QStringView name) {
    for (const auto rows : {compiledLanguages(), scriptLanguages(), dataLanguages()}) {
        for (const CodeLanguage& row : rows) {
            const auto isName = [&](std::string_view one) {
                return name.compare(QLatin1StringView(one.data(), static_cast<qsizetype>(one.size())),
                                    Qt::CaseInsensitive) == 0;
            };
            if (anyWord(row.names, isName)) return &row;
        }
    }
    return nullptr;
}

/// Returns the loaded form of a row. It is made once.
const LoadedLanguage* load(const CodeLanguage& row) {
    static std::mutex mutex;
    static std::map<const CodeLanguage*, LoadedLanguage> loaded;
    const std::lock_guard lock(mutex);
    const auto found = loaded.find(&row);
    if (found != loaded.end()) return &found->second;
    return &loaded.emplace(&row, LoadedLanguage{&row, CodeWords(row)}).first->second;
}

} // namespace

CodeWords::CodeWords(const CodeLanguage& language) : anyCase_(language.flags & CodeLanguage::AnyCase) {
    const auto add = [&](const char* list, CodeColour colour) {
        anyWord(list, [&](std::string_view word) {
            words_.emplace_back(word, colour);
            longest_ = std::max(longest_, word.size());
            return false;
        });
    };
    add(language.keywords, CodeColour::Keyword);
    add(language.types, CodeColour::Type);
    add(language.functions, CodeColour::Function);
    // A word that is in two lists has the meaning of the first.
    std::stable_sort(words_.begin(), words_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

CodeColour CodeWords::find(QStringView word) const {
    if (static_cast<size_t>(word.size()) > longest_) return CodeColour::Plain;
    QVarLengthArray<char, 32> letters;
    for (const QChar letter : word) {
        if (letter > u'~') return CodeColour::Plain;
        letters.append((anyCase_ ? letter.toLower() : letter).toLatin1());
    }
    const std::string_view key(letters.data(), static_cast<size_t>(letters.size()));
    const auto found = std::lower_bound(words_.begin(), words_.end(), key,
                                        [](const auto& a, std::string_view b) { return a.first < b; });
    return found != words_.end() && found->first == key ? found->second : CodeColour::Plain;
}

const LoadedLanguage* findLanguage(QStringView name) {
    if (name.isEmpty()) return nullptr;
    const CodeLanguage* row = findRow(name);
    return row != nullptr ? load(*row) : nullptr;
}

const LoadedLanguage* plainLanguage() {
    static constexpr CodeLanguage kPlain{.form = CodeLanguage::Form::Plain};
    return load(kPlain);
}

} // namespace coterie::app
