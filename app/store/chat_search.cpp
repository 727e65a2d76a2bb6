// SPDX-License-Identifier: Apache-2.0
// See chat_search.h.
#include "store/chat_search.h"

#include "store/hit_ranges.h"

#include <QStringList>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace coterie::app {
namespace {

using SQLite::Statement;

// The excerpt of a hit fills two lines of the list of chats; the hit stands in the first third.
constexpr qsizetype kSnippetBefore = 40;
constexpr qsizetype kSnippetLength = 120;

/// Counts the UTF-16 units of a piece of UTF-8.
qsizetype unitsIn(std::string_view utf8) {
    qsizetype units = 0;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
    }
    return units;
}

/// Returns the position after the combining marks, and the characters joined by them, that begin at `at`.
qsizetype afterMarks(const QString& text, qsizetype at) {
    while (at < text.size()) {
        const bool pair = at + 1 < text.size() && text[at].isHighSurrogate() && text[at + 1].isLowSurrogate();
        const char32_t code = pair ? QChar::surrogateToUcs4(text[at], text[at + 1]) : text[at].unicode();
        if (!QChar::isMark(code)) break;
        at += pair ? 2 : 1;
    }
    return at;
}

std::vector<TextRange> textRanges(const std::string& utf8, const QString& text, const std::vector<ByteRange>& bytes) {
    std::vector<TextRange> ranges;
    size_t done = 0;
    qsizetype units = 0;
    const auto advance = [&](int32_t byte) {
        const size_t to = std::clamp(static_cast<size_t>(std::max(byte, 0)), done, utf8.size());
        units += unitsIn(std::string_view(utf8).substr(done, to - done));
        done = to;
        return std::min(units, text.size());
    };
    for (const ByteRange& range : bytes) {
        const qsizetype begin = advance(range.begin);
        ranges.push_back({.begin = begin, .end = afterMarks(text, advance(range.end))});
    }
    return ranges;
}

/// Whether the letter belongs to a script that is written without spaces between words.
bool isWithoutSpaces(char32_t letter) {
    switch (QChar::script(letter)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Bopomofo:
    case QChar::Script_Thai:
    case QChar::Script_Lao:
    case QChar::Script_Khmer:
    case QChar::Script_Myanmar:
        return true;
    default:
        return false;
    }
}

/// Returns the words if they have to be looked for in the texts themselves, and none if the indexes know them.
QStringList wordsWithoutIndex(const QString& words) {
    const QList<uint> letters = words.toUcs4();
    return std::ranges::any_of(letters, isWithoutSpaces) ? words.simplified().split(u' ') : QStringList();
}

/// Returns the places of the words, in order; those that overlap are joined. Empty: not all words are in the text.
std::vector<TextRange> placesOf(const QStringList& words, const QString& text) {
    std::vector<TextRange> all;
    for (const QString& word : words) {
        const size_t before = all.size();
        for (qsizetype at = 0; (at = text.indexOf(word, at, Qt::CaseInsensitive)) >= 0; at += word.size())
            all.push_back({.begin = at, .end = afterMarks(text, at + word.size())});
        if (all.size() == before) return {};
    }
    std::ranges::sort(all, {}, &TextRange::begin);
    std::vector<TextRange> ranges;
    for (const TextRange& next : all) {
        if (!ranges.empty() && next.begin < ranges.back().end)
            ranges.back().end = std::max(ranges.back().end, next.end);
        else
            ranges.push_back(next);
    }
    return ranges;
}

/// Returns the beginning of the word around `at`; of the letter if the word is too long.
qsizetype wordStart(const QString& text, qsizetype at) {
    constexpr qsizetype kLongestWord = 24;
    for (qsizetype i = at; i > 0 && at - i < kLongestWord; --i)
        if (text[i - 1].isSpace()) return i;
    while (at > 0 && (text[at].isLowSurrogate() || text[at].isMark())) --at;
    return at;
}

/// Cuts an excerpt around the first range. It is one line; "..." stands for words that were left out.
void addSnippet(SearchHit& hit, const QString& text) {
    const qsizetype first = hit.ranges.empty() ? 0 : hit.ranges.front().begin;
    const qsizetype begin = first <= kSnippetBefore ? 0 : wordStart(text, first - kSnippetBefore);
    const qsizetype last = std::min(text.size(), begin + kSnippetLength);
    const qsizetype end = last == text.size() ? last : std::max(wordStart(text, last), begin);
    const QString dots = QStringLiteral("...");
    if (begin > 0) hit.snippet = dots;
    std::vector<qsizetype> places; // the place of each character in the excerpt
    bool space = false;
    for (qsizetype i = begin; i < end; ++i) {
        const bool gap = text[i].isSpace() || text[i].isNull();
        if (!gap && space && hit.snippet.size() > 0) hit.snippet.append(u' ');
        space = gap && !hit.snippet.isEmpty();
        places.push_back(hit.snippet.size());
        if (!gap) hit.snippet.append(text[i]);
    }
    places.push_back(hit.snippet.size());
    if (end < text.size()) hit.snippet.append(dots);
    for (const TextRange& range : hit.ranges) {
        if (range.begin >= end) break;
        const auto from = static_cast<size_t>(range.begin - begin), to = static_cast<size_t>(range.end - begin);
        hit.snippetRanges.push_back({.begin = places[from], .end = places[std::min(to, places.size() - 1)]});
    }
}

/// Returns the hit of a row, or nothing if it has none. Columns: chat, message, text; if an index found the row, the
/// ranges. words: those to look for in the text; empty: an index found the row.
std::optional<SearchHit> hitFrom(Statement& row, const QStringList& words) {
    const std::string utf8 = row.getColumn(2).getString();
    const QString text = QString::fromStdString(utf8);
    std::vector<TextRange> ranges =
        words.isEmpty() ? textRanges(utf8, text, hitRangesOf(row.getColumn(3))) : placesOf(words, text);
    if (!words.isEmpty() && ranges.empty()) return std::nullopt;
    SearchHit hit;
    hit.chat = row.getColumn(0).getInt64();
    hit.message = row.getColumn(1).getInt64();
    hit.ranges = std::move(ranges);
    addSnippet(hit, text);
    return hit;
}

/// Adds hits to the page until it is full. Returns whether there are more. See hitFrom().
bool addHits(Statement& rows, const QStringList& words, int most, SearchPage& page) {
    while (rows.executeStep()) {
        std::optional<SearchHit> hit = hitFrom(rows, words);
        if (!hit) continue;
        if (static_cast<int>(page.hits.size()) == most) return true;
        page.hits.push_back(*std::move(hit));
    }
    return false;
}

/// Returns a query in FTS5's language that asks for all words; empty if there are none. Each word is quoted.
std::string matchExpression(const QString& words) {
    QStringList quoted;
    for (QString word : words.simplified().split(u' ', Qt::SkipEmptyParts)) {
        word.remove(QChar(u'\0'));
        quoted.append(u'"' + word.replace(u'"', QStringLiteral("\"\"")) + u'"');
    }
    return quoted.isEmpty() ? std::string() : (quoted.join(u' ') + u'*').toStdString();
}

// Queries for a page of hits: ?1 is the expression to match, ids are below ?2, and ?3 is a chat or 0. Those that read
// all texts do not use ?1. A hidden message is in no index, and so is one that is being written.
constexpr const char* kTitles = "SELECT c.id, 0, s.title, hit_ranges(chat_search) FROM chat_search s "
                                "CROSS JOIN chats c ON c.id = s.rowid WHERE chat_search MATCH ?1 AND s.rowid < ?2 "
                                "AND ?3 IN (0, c.id) AND c.deleted_at IS NULL ORDER BY s.rowid DESC";
constexpr const char* kMessages = "SELECT m.chat, m.id, s.text, hit_ranges(message_search) FROM message_search s "
                                  "CROSS JOIN messages m ON m.id = s.rowid CROSS JOIN chats c ON c.id = m.chat "
                                  "WHERE message_search MATCH ?1 AND s.rowid < ?2 AND ?3 IN (0, m.chat) "
                                  "AND c.deleted_at IS NULL ORDER BY s.rowid DESC";
constexpr const char* kAllTitles = "SELECT id, 0, title FROM chats "
                                   "WHERE id < ?2 AND ?3 IN (0, id) AND deleted_at IS NULL ORDER BY id DESC";
constexpr const char* kAllMessages = "SELECT m.chat, m.id, t.text FROM messages m "
                                     "CROSS JOIN message_texts t ON t.id = m.id CROSS JOIN chats c ON c.id = m.chat "
                                     "WHERE m.id < ?2 AND ?3 IN (0, m.chat) AND m.hidden = 0 "
                                     "AND m.state <> 'streaming' AND c.deleted_at IS NULL ORDER BY m.id DESC";

} // namespace

SearchPage searchPage(SQLite::Database& database, const SearchRequest& request) {
    SearchPage page;
    const std::string match = matchExpression(request.words);
    if (match.empty() || request.most <= 0) return page;
    const QStringList words = wordsWithoutIndex(request.words);
    const auto below = [](qint64 id) { return id > 0 ? id : std::numeric_limits<qint64>::max(); };
    SearchCursor from = request.after;
    if (!from.inMessages) {
        Statement titles(database, words.isEmpty() ? kTitles : kAllTitles);
        bindAll(titles, match, below(from.before), request.chat);
        if (addHits(titles, words, request.most, page)) {
            page.next = SearchCursor{.inMessages = false, .before = page.hits.back().chat};
            return page;
        }
        from = {.inMessages = true, .before = 0};
    }
    Statement messages(database, words.isEmpty() ? kMessages : kAllMessages);
    bindAll(messages, match, below(from.before), request.chat);
    if (!addHits(messages, words, request.most, page)) return page;
    const bool titlesOnly = page.hits.back().message == 0;
    page.next = SearchCursor{.inMessages = true, .before = titlesOnly ? 0 : page.hits.back().message};
    return page;
}

} // namespace coterie::app
