// SPDX-License-Identifier: Apache-2.0
// See chat_search.h.
#include "store/chat_search.h"

#include "store/hit_ranges.h"

#include <QStringList>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
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

/// How many of the words one hit must have.
enum class Wants { AllWords, AnyWord };

/// Returns the places of the words, in order; those that overlap are joined. Empty: the text has too few of the words.
std::vector<TextRange> placesOf(const QStringList& words, Wants wants, const QString& text) {
    std::vector<TextRange> all;
    for (const QString& word : words) {
        const size_t before = all.size();
        for (qsizetype at = 0; (at = text.indexOf(word, at, Qt::CaseInsensitive)) >= 0; at += word.size())
            all.push_back({.begin = at, .end = afterMarks(text, at + word.size())});
        if (wants == Wants::AllWords && all.size() == before) return {};
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
std::optional<SearchHit> hitFrom(Statement& row, const QStringList& words, Wants wants) {
    const std::string utf8 = row.getColumn(2).getString();
    const QString text = QString::fromStdString(utf8);
    std::vector<TextRange> ranges =
        words.isEmpty() ? textRanges(utf8, text, hitRangesOf(row.getColumn(3))) : placesOf(words, wants, text);
    if (!words.isEmpty() && ranges.empty()) return std::nullopt;
    SearchHit hit;
    hit.chat = row.getColumn(0).getInt64();
    hit.message = row.getColumn(1).getInt64();
    hit.ranges = std::move(ranges);
    addSnippet(hit, text);
    return hit;
}

/// Adds hits of all words to the page until it is full. Returns whether there are more. See hitFrom().
bool addHits(Statement& rows, const QStringList& words, int most, SearchPage& page) {
    while (rows.executeStep()) {
        std::optional<SearchHit> hit = hitFrom(rows, words, Wants::AllWords);
        if (!hit) continue;
        if (static_cast<int>(page.hits.size()) == most) return true;
        page.hits.push_back(*std::move(hit));
    }
    return false;
}

/// Returns each word as FTS5's language has it: quoted. The last one may be incomplete.
QStringList quotedWords(const QString& words) {
    QStringList quoted;
    for (QString word : words.simplified().split(u' ', Qt::SkipEmptyParts)) {
        word.remove(QChar(u'\0'));
        quoted.append(u'"' + word.replace(u'"', QStringLiteral("\"\"")) + u'"');
    }
    if (!quoted.isEmpty()) quoted.back() += u'*';
    return quoted;
}

/// Whether an index can have the word: it leaves out signs and pictures.
bool hasLetters(const QString& word) {
    const QList<uint> letters = word.toUcs4();
    return std::ranges::any_of(letters, [](char32_t letter) {
        return QChar::isLetterOrNumber(letter) || QChar::category(letter) == QChar::Other_PrivateUse;
    });
}

/// Titles or messages, in parts of a query. ?1 is the expression to match, ?2 an id, and ?3 a chat or 0. Those that
/// read all texts do not use ?1. A hidden message is in no index, and so is one that is being written.
struct Source {
    const char* place;
    const char* text; ///< with the ranges, if an index has them
    const char* from;
    const char* id;
};
constexpr Source kTitles{.place = "c.id, 0",
                         .text = "s.title, hit_ranges(chat_search)",
                         .from = "chat_search s CROSS JOIN chats c ON c.id = s.rowid "
                                 "WHERE chat_search MATCH ?1 AND ?3 IN (0, c.id) AND c.deleted_at IS NULL",
                         .id = "s.rowid"};
constexpr Source kMessages{.place = "m.chat, m.id",
                           .text = "s.text, hit_ranges(message_search)",
                           .from = "message_search s CROSS JOIN messages m ON m.id = s.rowid "
                                   "CROSS JOIN chats c ON c.id = m.chat "
                                   "WHERE message_search MATCH ?1 AND ?3 IN (0, m.chat) AND c.deleted_at IS NULL",
                           .id = "s.rowid"};
constexpr Source kAllTitles{.place = "c.id, 0",
                            .text = "c.title",
                            .from = "chats c WHERE ?3 IN (0, c.id) AND c.deleted_at IS NULL",
                            .id = "c.id"};
constexpr Source kAllMessages{.place = "m.chat, m.id",
                              .text = "t.text",
                              .from = "messages m CROSS JOIN message_texts t ON t.id = m.id "
                                      "CROSS JOIN chats c ON c.id = m.chat WHERE ?3 IN (0, m.chat) AND m.hidden = 0 "
                                      "AND m.state <> 'streaming' AND c.deleted_at IS NULL",
                              .id = "m.id"};
constexpr qint64 kAboveAll = std::numeric_limits<qint64>::max();

/// Returns a query for the places of the hits alone.
std::string queryForPlaces(const Source& source) {
    return std::string("SELECT ") + source.place + " FROM " + source.from;
}
std::string queryForHits(const Source& source) {
    return std::string("SELECT ") + source.place + ", " + source.text + " FROM " + source.from;
}
/// Returns a query for the hits whose id is below ?2, the greatest first.
std::string queryForPage(const Source& source) {
    return queryForHits(source) + " AND " + source.id + " < ?2 ORDER BY " + source.id + " DESC";
}
/// Returns a query for the hit whose id is ?2.
std::string queryForOne(const Source& source) { return queryForHits(source) + " AND " + source.id + " = ?2"; }

/// Returns the titles and messages that hold all words.
SearchPage pageOfAllWords(SQLite::Database& database, const SearchRequest& request, const QStringList& words) {
    SearchPage page;
    const std::string match = quotedWords(request.words).join(u' ').toStdString();
    const auto below = [](qint64 id) { return id > 0 ? id : kAboveAll; };
    SearchCursor from = request.after;
    if (!from.inMessages) {
        Statement titles(database, queryForPage(words.isEmpty() ? kTitles : kAllTitles));
        bindAll(titles, match, below(from.before), request.chat);
        if (addHits(titles, words, request.most, page)) {
            page.next = SearchCursor{.inMessages = false, .before = page.hits.back().chat};
            return page;
        }
        from = {.inMessages = true, .before = 0};
    }
    Statement messages(database, queryForPage(words.isEmpty() ? kMessages : kAllMessages));
    bindAll(messages, match, below(from.before), request.chat);
    if (!addHits(messages, words, request.most, page)) return page;
    const bool titlesOnly = page.hits.back().message == 0;
    page.next = SearchCursor{.inMessages = true, .before = titlesOnly ? 0 : page.hits.back().message};
    return page;
}

// If no place has all words, they are looked for one by one, and the chats that have them all are found.

using Places = std::vector<HitPlace>;

HitPlace placeFrom(Statement& row) {
    return {.chat = row.getColumn(0).getInt64(), .message = row.getColumn(1).getInt64()};
}

/// Returns the words that a chat must have. words: those to look for in the texts; empty: in the indexes, as
/// expressions in FTS5's language.
QStringList singleWords(const SearchRequest& request, const QStringList& words) {
    QStringList single = words;
    if (words.isEmpty()) {
        single = quotedWords(request.words);
        single.removeIf([](const QString& word) { return !hasLetters(word); });
    }
    single.removeDuplicates();
    return single;
}

/// Returns the places of each word by the indexes; nothing if one of the words is nowhere.
std::vector<Places> placesInIndexes(SQLite::Database& database, const QStringList& single, qint64 chat) {
    std::vector<Places> places;
    for (const QString& word : single) {
        Places found;
        for (const Source* source : {&kTitles, &kMessages}) {
            Statement rows(database, queryForPlaces(*source));
            bindAll(rows, word, kAboveAll, chat);
            while (rows.executeStep()) found.push_back(placeFrom(rows));
        }
        if (found.empty()) return {};
        places.push_back(std::move(found));
    }
    return places;
}

/// Returns the places of each word by the texts.
std::vector<Places> placesInTexts(SQLite::Database& database, const QStringList& single, qint64 chat) {
    std::vector<Places> places(static_cast<size_t>(single.size()));
    for (const Source* source : {&kAllTitles, &kAllMessages}) {
        Statement rows(database, queryForHits(*source));
        bindAll(rows, std::string(), kAboveAll, chat);
        while (rows.executeStep()) {
            const QString text = textOf(rows.getColumn(2));
            for (size_t i = 0; i < places.size(); ++i)
                if (text.contains(single[static_cast<qsizetype>(i)], Qt::CaseInsensitive))
                    places[i].push_back(placeFrom(rows));
        }
    }
    return places;
}

/// Returns the chats of the places, in order.
std::vector<qint64> chatsOf(const Places& places) {
    std::vector<qint64> chats;
    chats.reserve(places.size());
    for (const HitPlace& place : places) chats.push_back(place.chat);
    std::ranges::sort(chats);
    chats.erase(std::unique(chats.begin(), chats.end()), chats.end());
    return chats;
}

/// Returns the places of all words in the chats that have each of them. Those of a chat are together, its title first.
Places placesInSharedChats(const std::vector<Places>& ofWords) {
    if (ofWords.empty()) return {};
    std::vector<qint64> chats = chatsOf(ofWords.front());
    for (size_t i = 1; i < ofWords.size(); ++i) {
        std::vector<qint64> both;
        std::ranges::set_intersection(chats, chatsOf(ofWords[i]), std::back_inserter(both));
        chats = std::move(both);
    }
    Places all;
    for (const Places& places : ofWords)
        std::ranges::copy_if(places, std::back_inserter(all),
                             [&](const HitPlace& place) { return std::ranges::binary_search(chats, place.chat); });
    std::ranges::sort(all, std::ranges::greater(), [](const HitPlace& place) {
        return std::pair(place.chat, place.message == 0 ? kAboveAll : place.message);
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Returns the hits at the places from one of them on. What was deleted meanwhile is no hit.
SearchPage pageOfPlaces(SQLite::Database& database, const SearchRequest& request, const QStringList& words,
                        SearchCursor from) {
    SearchPage page{.hits = {}, .next = {}, .scattered = true};
    const std::string any = singleWords(request, words).join(QStringLiteral(" OR ")).toStdString();
    Statement titles(database, queryForOne(words.isEmpty() ? kTitles : kAllTitles));
    Statement messages(database, queryForOne(words.isEmpty() ? kMessages : kAllMessages));
    for (; from.at < from.places->size(); ++from.at) {
        if (static_cast<int>(page.hits.size()) == request.most) {
            page.next = std::move(from);
            return page;
        }
        const HitPlace& place = (*from.places)[from.at];
        Statement& row = place.message == 0 ? titles : messages;
        row.reset();
        bindAll(row, any, place.message == 0 ? place.chat : place.message, request.chat);
        if (!row.executeStep()) continue;
        if (auto hit = hitFrom(row, words, Wants::AnyWord)) page.hits.push_back(*std::move(hit));
    }
    return page;
}

/// Returns the hits in chats that have all words in different places.
SearchPage firstScatteredPage(SQLite::Database& database, const SearchRequest& request, const QStringList& words) {
    const QStringList single = singleWords(request, words);
    if (single.size() < 2) return {};
    Places places = placesInSharedChats(words.isEmpty() ? placesInIndexes(database, single, request.chat)
                                                        : placesInTexts(database, single, request.chat));
    if (places.empty()) return {};
    return pageOfPlaces(database, request, words, {.places = std::make_shared<const Places>(std::move(places))});
}

} // namespace

SearchPage searchPage(SQLite::Database& database, const SearchRequest& request) {
    if (request.words.trimmed().isEmpty() || request.most <= 0) return {};
    const QStringList words = wordsWithoutIndex(request.words);
    if (request.after.places) return pageOfPlaces(database, request, words, request.after);
    SearchPage page = pageOfAllWords(database, request, words);
    if (!page.hits.empty() || request.after != SearchCursor{}) return page;
    return firstScatteredPage(database, request, words);
}

} // namespace coterie::app
