// SPDX-License-Identifier: Apache-2.0
// See json_pieces.h.
#include "exchange/json_pieces.h"

#include <QJsonDocument>

#include <algorithm>
#include <span>

namespace coterie::app {
namespace {

// One limit for each thing that a hostile file could make large.
constexpr qsizetype kBufferBytes = qsizetype{1} << 18;
constexpr qsizetype kLargestPiece = qsizetype{1} << 30; // bytes of one chat; Qt holds at most twice as many
constexpr int kDeepest = 500;                           // Qt's parser stops at 1024

constexpr QByteArrayView kMark("\xef\xbb\xbf"); // UTF-8 files of some systems begin with it

constexpr char kNotRead[] = "The file can't be read";
constexpr char kWhole[] = "Choose a whole file, or export it once more";

engine::Error damagedAt(const engine::Sentence& why) { return {engine::ErrorKind::BadInput, kNotRead, why, kWhole}; }

bool isSpace(int c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

} // namespace

JsonPieces::JsonPieces(ByteSource& source, QByteArray elementsOf)
    : source_(source), elementsOf_(std::move(elementsOf)), buffer_(kBufferBytes, '\0') {}

bool JsonPieces::fill() {
    if (failure_) return false;
    auto count = source_.read(std::span<char>(buffer_.data(), static_cast<size_t>(buffer_.size())));
    if (!count) failure_ = count.error();
    next_ = 0;
    filled_ = count ? static_cast<qsizetype>(count.value()) : 0;
    return filled_ > 0;
}

int JsonPieces::peek() {
    if (next_ == filled_ && !fill()) return -1;
    return static_cast<unsigned char>(buffer_.at(next_));
}

void JsonPieces::advance() {
    const bool newLine = buffer_.at(next_) == '\n';
    ++next_;
    ++offset_;
    if (!newLine) return;
    ++line_;
    lineBegin_ = offset_;
}

void JsonPieces::skipSpace() {
    while (isSpace(peek())) advance();
}

void JsonPieces::skipMark() {
    for (const char byte : kMark)
        if (peek() == static_cast<unsigned char>(byte)) advance();
}

engine::Error JsonPieces::unexpected() {
    if (failure_) return *failure_;
    if (peek() < 0) return damagedAt({"It ends too early, in line %1", line_});
    return damagedAt({"It is damaged in line %1 at position %2", line_, offset_ - lineBegin_ + 1});
}

engine::Result<std::optional<JsonPiece>> JsonPieces::next() {
    const State before = state_;
    auto piece = before == State::Begin    ? begin()
                 : before == State::Object ? member()
                 : before == State::End    ? std::optional<JsonPiece>()
                                           : value(key_, before == State::Elements);
    if (!piece) state_ = State::End;
    return piece;
}

engine::Result<std::optional<JsonPiece>> JsonPieces::begin() {
    skipMark();
    skipSpace();
    const int c = peek();
    if (c != '[' && c != '{') {
        if (failure_) return *failure_;
        if (c < 0) return emptyFile();
        return engine::Error{engine::ErrorKind::BadInput, kNotRead, "It is not a JSON file",
                             "Choose a file that a chat program has exported"};
    }
    advance();
    state_ = c == '[' ? State::Array : State::Object;
    return next();
}

engine::Result<bool> JsonPieces::more(char end) {
    skipSpace();
    const bool first = std::exchange(first_, false);
    if (peek() == end) {
        advance();
        return false;
    }
    if (first) return true;
    if (peek() != ',') return unexpected();
    advance();
    skipSpace();
    return true;
}

engine::Result<std::optional<JsonPiece>> JsonPieces::value(const QByteArray& key, bool element) {
    const auto another = more(']');
    if (!another) return another.error();
    if (!another.value()) {
        if (state_ == State::Array) return afterLast();
        state_ = State::Object;
        return member();
    }
    JsonPiece piece{.key = key, .element = element, .line = line_, .column = offset_ - lineBegin_ + 1};
    if (auto taken = takeValue(piece.json); !taken) return taken.error();
    return std::optional(std::move(piece));
}

engine::Result<std::optional<JsonPiece>> JsonPieces::member() {
    const auto another = more('}');
    if (!another) return another.error();
    if (!another.value()) return afterLast();
    QByteArray key;
    if (peek() != '"') return unexpected();
    if (auto taken = takeString(key); !taken) return taken.error();
    skipSpace();
    if (peek() != ':') return unexpected();
    advance();
    skipSpace();
    key_ = key.mid(1, key.size() - 2);
    if (peek() == '[' && key_ == elementsOf_) {
        advance();
        first_ = true;
        state_ = State::Elements;
        return value(key_, true);
    }
    JsonPiece piece{.key = key_, .line = line_, .column = offset_ - lineBegin_ + 1};
    if (auto taken = takeValue(piece.json); !taken) return taken.error();
    return std::optional(std::move(piece));
}

engine::Result<std::optional<JsonPiece>> JsonPieces::afterLast() {
    state_ = State::End;
    skipSpace();
    if (peek() >= 0 || failure_) return unexpected();
    return std::optional<JsonPiece>();
}

engine::Status JsonPieces::takeString(QByteArray& out) {
    out.append('"');
    advance();
    while (peek() >= 0) {
        const char* const begin = buffer_.constData() + next_;
        const char* const end = buffer_.constData() + filled_;
        const char* const stop = std::find_if(begin, end, [](char c) { return c == '"' || c == '\\' || c == '\n'; });
        out.append(begin, stop - begin);
        next_ += stop - begin;
        offset_ += stop - begin;
        if (out.size() > kLargestPiece) return damagedAt({"A text in line %1 is too long", line_});
        if (stop == end) continue;
        const char c = *stop;
        out.append(c);
        advance();
        if (c == '"') return {};
        if (c == '\n') return damagedAt({"A text does not end in line %1", line_ - 1});
        if (peek() < 0) break;
        out.append(static_cast<char>(peek())); // whatever follows a backslash ends no text
        advance();
    }
    return unexpected();
}

void JsonPieces::takeScalar(QByteArray& out) {
    for (int c = peek(); c >= 0 && !isSpace(c) && c != ',' && c != ']' && c != '}'; c = peek()) {
        if (out.size() > kBufferBytes) return; // no number is that long
        out.append(static_cast<char>(c));
        advance();
    }
}

engine::Status JsonPieces::takeValue(QByteArray& out) {
    int depth = 0;
    do {
        const int c = peek();
        if (c < 0) return unexpected();
        if (c == '"') {
            if (auto taken = takeString(out); !taken) return taken;
        } else if (depth == 0 && c != '{' && c != '[') {
            takeScalar(out);
            if (out.isEmpty()) return unexpected();
        } else {
            if (c == '{' || c == '[') ++depth;
            if (c == '}' || c == ']') --depth;
            out.append(static_cast<char>(c));
            advance();
        }
        if (depth > kDeepest) return damagedAt({"Its values are nested too deeply in line %1", line_});
        if (out.size() > kLargestPiece) return damagedAt({"A value that ends in line %1 is too long", line_});
    } while (depth > 0);
    return {};
}

JsonLines::JsonLines(ByteSource& source) : source_(source), buffer_(kBufferBytes, '\0') {}

/// Returns false if the file has no other line.
engine::Result<bool> JsonLines::takeLine(QByteArray& line) {
    line.clear();
    ++line_;
    while (line.size() <= kLargestPiece) {
        if (next_ == filled_) {
            const auto count = source_.read(std::span<char>(buffer_.data(), static_cast<size_t>(buffer_.size())));
            if (!count) return count.error();
            next_ = 0;
            filled_ = static_cast<qsizetype>(count.value());
            if (filled_ == 0) return !line.isEmpty();
        }
        const char* const begin = buffer_.constData() + next_;
        const char* const end = buffer_.constData() + filled_;
        const char* const stop = std::find(begin, end, '\n');
        line.append(begin, stop - begin);
        next_ += stop - begin;
        if (stop == end) continue;
        ++next_;
        return true;
    }
    return damagedAt({"A value that ends in line %1 is too long", line_});
}

engine::Result<std::optional<JsonPiece>> JsonLines::next() {
    QByteArray line;
    for (;;) {
        const auto taken = takeLine(line);
        if (!taken) return taken.error();
        if (!taken.value()) return std::optional<JsonPiece>();
        if (line_ == 1 && line.startsWith(kMark)) line.remove(0, kMark.size());
        if (line = line.trimmed(); !line.isEmpty()) return std::optional(JsonPiece{.json = line, .line = line_});
    }
}

engine::Error emptyFile() {
    return {engine::ErrorKind::BadInput, "The chats were not imported", "The file is empty",
            "Choose another file, or export your chats once more"};
}

engine::Result<QJsonValue> parsePiece(const JsonPiece& piece) {
    QJsonParseError failure{};
    const bool whole = piece.json.startsWith('{') || piece.json.startsWith('[');
    const QJsonDocument document = QJsonDocument::fromJson(whole ? piece.json : '[' + piece.json + ']', &failure);
    if (failure.error == QJsonParseError::NoError) {
        if (!whole) return document.array().first();
        return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
    }
    const QByteArray before = piece.json.left(std::max(failure.offset - (whole ? 0 : 1), 0));
    const qsizetype lastLine = before.lastIndexOf('\n');
    const qint64 column = lastLine < 0 ? piece.column + before.size() : before.size() - lastLine;
    return damagedAt({"It is damaged in line %1 at position %2", piece.line + before.count('\n'), column});
}

} // namespace coterie::app
