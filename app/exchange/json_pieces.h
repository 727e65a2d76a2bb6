// SPDX-License-Identifier: Apache-2.0
// Cuts a JSON file into values that are parsed one at a time, so that a large file takes the memory of its largest
// value only. The pieces are the elements of the outer array, or the members of the outer object; the array of one
// member may be given element by element too. JsonLines does the same with a file that has a value on each line.
//
//     JsonPieces pieces(source, "chats");
//     for (auto piece = pieces.next(); piece && *piece; piece = pieces.next())
//         use((*piece)->key, parsePiece(**piece));
//
// This finds where values end, and nothing else: parsePiece() tells whether a value is JSON. Threads: one thread at a
// time. Errors name the line and the position in it.
#pragma once

#include "exchange/byte_source.h"

#include <QByteArray>
#include <QJsonValue>

#include <optional>

namespace coterie::app {

struct JsonPiece {
    QByteArray key{};     ///< key of the member as the file writes it, without quotes; empty in an outer array
    bool element = false; ///< an element of the member's array
    QByteArray json{};
    qint64 line = 1;   ///< place of its first character, counted from 1
    qint64 column = 1; ///< in bytes
};

class JsonPieces {
  public:
    /// The source outlives this. elementsOf: the member whose array is cut into elements.
    JsonPieces(ByteSource& source, QByteArray elementsOf);

    /// Returns the next piece; nothing after the last one.
    engine::Result<std::optional<JsonPiece>> next();

  private:
    enum class State { Begin, Array, Object, Elements, End };

    engine::Result<std::optional<JsonPiece>> begin();
    engine::Result<std::optional<JsonPiece>> value(const QByteArray& key, bool element);
    engine::Result<std::optional<JsonPiece>> member();
    engine::Result<std::optional<JsonPiece>> afterLast();
    /// Whether another value follows in the array or object that ends with this character.
    engine::Result<bool> more(char end);
    engine::Status takeValue(QByteArray& out);
    engine::Status takeString(QByteArray& out);
    void takeScalar(QByteArray& out);
    void skipSpace();
    void skipMark();
    int peek();
    void advance();
    bool fill();
    engine::Error unexpected();

    ByteSource& source_;
    QByteArray elementsOf_, key_;
    QByteArray buffer_;
    qsizetype next_ = 0, filled_ = 0;
    qint64 line_ = 1, lineBegin_ = 0, offset_ = 0; ///< offsets of bytes from the start of the file
    State state_ = State::Begin;
    bool first_ = true;
    std::optional<engine::Error> failure_; ///< error of the source
};

class JsonLines {
  public:
    /// The source outlives this.
    explicit JsonLines(ByteSource& source);

    /// Returns the next line that is not blank; nothing after the last one. After an error there is no other line.
    engine::Result<std::optional<JsonPiece>> next();

  private:
    engine::Result<bool> takeLine(QByteArray& line);

    ByteSource& source_;
    QByteArray buffer_;
    qsizetype next_ = 0, filled_ = 0;
    qint64 line_ = 0; ///< number of the line that was taken
};

/// The error of a file in which there is nothing.
engine::Error emptyFile();

/// Parses the piece. An error names its place in the file.
engine::Result<QJsonValue> parsePiece(const JsonPiece& piece);

} // namespace coterie::app
