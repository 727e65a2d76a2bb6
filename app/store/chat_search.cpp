// SPDX-License-Identifier: Apache-2.0
// See chat_search.h.
#include "store/chat_search.h"

#include "store/hit_ranges.h"

#include <QStringList>

#include <algorithm>
#include <limits>
#include <string_view>

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

SearchHit hitFrom(qint64 chat, qint64 message, const SQLite::Column& text, const SQLite::Column& ranges) {
    const std::string utf8 = text.getString();
    const QString shown = QString::fromStdString(utf8);
    SearchHit hit;
    hit.chat = chat;
    hit.message = message;
    hit.ranges = textRanges(utf8, shown, hitRangesOf(ranges));
    addSnippet(hit, shown);
    return hit;
}

/// Adds hits to the page until it is full. Returns whether there are more. Columns: chat, message, text, ranges.
bool addHits(Statement& rows, int most, SearchPage& page) {
    while (rows.executeStep()) {
        if (static_cast<int>(page.hits.size()) == most) return true;
        page.hits.push_back(
            hitFrom(rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64(), rows.getColumn(2), rows.getColumn(3)));
    }
    return false;
}

/// Returns the beginning of the word around `at`; of the letter if the word is too long.
qsizetype wordStart(const QString& text, qsizetype at) {
    constexpr qsizetype kLongestWord = 24;
    for (qsizetype i = at; i > 0 && at - i < kLongestWord; --i)
        if (text[i - 1].isSpace()) return i;
    while (at > 0 && (text[at].isLowSurrogate() || text[at].isMark())) --at;
    return at;
}

} // namespace

std::string matchExpression(const QString& words) {
    QStringList quoted;
    for (QString word : words.simplified().split(u' ', Qt::SkipEmptyParts)) {
        word.remove(QChar(u'\0'));
        quoted.append(u'"' + word.replace(u'"', QStringLiteral("\"\"")) + u'"');
    }
    return quoted.isEmpty() ? std::string() : (quoted.join(u' ') + u'*').toStdString();
}

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

SearchPage searchPage(SQLite::Database& database, const SearchRequest& request) {
    SearchPage page;
    const std::string match = matchExpression(request.words);
    if (match.empty() || request.most <= 0) return page;
    const auto below = [](qint64 id) { return id > 0 ? id : std::numeric_limits<qint64>::max(); };
    SearchCursor from = request.after;
    if (!from.inMessages) {
        Statement titles(database, "SELECT c.id, 0, s.title, hit_ranges(chat_search) FROM chat_search s "
                                   "CROSS JOIN chats c ON c.id = s.rowid WHERE chat_search MATCH ?1 AND s.rowid < ?2 "
                                   "AND ?3 IN (0, c.id) AND c.deleted_at IS NULL ORDER BY s.rowid DESC");
        bindAll(titles, match, below(from.before), request.chat);
        if (addHits(titles, request.most, page)) {
            page.next = SearchCursor{.inMessages = false, .before = page.hits.back().chat};
            return page;
        }
        from = {.inMessages = true, .before = 0};
    }
    Statement messages(database, "SELECT m.chat, m.id, s.text, hit_ranges(message_search) FROM message_search s "
                                 "CROSS JOIN messages m ON m.id = s.rowid CROSS JOIN chats c ON c.id = m.chat "
                                 "WHERE message_search MATCH ?1 AND s.rowid < ?2 AND ?3 IN (0, m.chat) "
                                 "AND c.deleted_at IS NULL ORDER BY s.rowid DESC");
    bindAll(messages, match, below(from.before), request.chat);
    if (!addHits(messages, request.most, page)) return page;
    const bool titlesOnly = page.hits.back().message == 0;
    page.next = SearchCursor{.inMessages = true, .before = titlesOnly ? 0 : page.hits.back().message};
    return page;
}

/// The newest message of each chat is found first, so that no other text is read. The plus sign keeps SQLite from
/// running the full-text query once for each of them.
std::unordered_map<qint64, QString> chatsThatMatch(SQLite::Database& database, const std::string& match) {
    std::unordered_map<qint64, QString> found;
    Statement titles(database, "SELECT rowid FROM chat_search WHERE chat_search MATCH ?");
    bindAll(titles, match);
    while (titles.executeStep()) found.try_emplace(titles.getColumn(0).getInt64());
    Statement messages(database, "WITH newest(id) AS MATERIALIZED (SELECT max(m.id) FROM message_search s "
                                 "CROSS JOIN messages m ON m.id = s.rowid WHERE message_search MATCH ?1 "
                                 "GROUP BY m.chat) "
                                 "SELECT m.chat, m.id, s.text, hit_ranges(message_search) FROM message_search s "
                                 "CROSS JOIN messages m ON m.id = s.rowid "
                                 "WHERE message_search MATCH ?1 AND +s.rowid IN (SELECT id FROM newest)");
    bindAll(messages, match);
    while (messages.executeStep()) {
        const qint64 chat = messages.getColumn(0).getInt64();
        found[chat] =
            hitFrom(chat, messages.getColumn(1).getInt64(), messages.getColumn(2), messages.getColumn(3)).snippet;
    }
    return found;
}

} // namespace coterie::app
