// SPDX-License-Identifier: Apache-2.0
// A part of a message as the store keeps it and the window shows it: the engine's part (prompt/parts.h) with Qt's
// strings, or a file that the user attached. An answer that streams arrives in pieces, each of which belongs to one
// part.
//
//     for (const PartPiece& piece : pieces) addPiece(row.parts, piece);
#pragma once

#include "prompt/parts.h"

#include <QMetaType>
#include <QString>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::app {

enum class PartKind { Text, Thought, ToolCall, ToolResult, Attachment };

struct MessagePart {
    PartKind kind = PartKind::Text;
    /// As in engine::Part; for a call: the words that the model wrote; for an attachment: the text of the file that the
    /// model reads.
    QString text{};
    QString tool{};      ///< the tool that a call or a result names; empty for a call that is code
    QString arguments{}; ///< a call's arguments: a JSON object as text
    QString code{};      ///< the source of a call in code form
    double seconds = 0;  ///< how long the model wrote a thought; 0: not measured
    QString name{};      ///< an attachment's file name, without its folder
    QString mediaType{}; ///< an attachment's media type, such as "text/plain"
    qint64 size = 0;     ///< an attachment's original size in bytes

    bool operator==(const MessagePart& other) const = default;
};

/// The next words of the part with this index, or that whole part if it is new.
struct PartPiece {
    qsizetype index = 0;
    MessagePart part;
};

MessagePart partFrom(engine::PartKind kind, std::string_view text, const engine::ToolCall& call);
/// Returns the part for a prompt. The engine has no attachments: it gets fileForModel().
engine::Part enginePart(const MessagePart& part);
/// Returns an attachment as the model reads it: its name, then its text in a Markdown fence that is longer than any in
/// the text.
QString fileForModel(const MessagePart& part);
/// Returns at least the number of bytes that the parts have in a prompt, and little more.
qsizetype promptBytes(std::span<const MessagePart> parts);

/// One text part, or none if the text is empty.
std::vector<MessagePart> textParts(const QString& text);
/// Returns the text parts only, with an empty line between two of them. This text is copied, searched and read aloud.
QString plainText(std::span<const MessagePart> parts);

/// Appends the piece. Pieces come in the order of their parts.
void addPiece(std::vector<MessagePart>& parts, const PartPiece& piece);

/// The names under which the store keeps kinds.
QString partKindName(PartKind kind);
std::optional<PartKind> partKindFrom(const QString& name);
/// Returns the fields of a part besides its kind and text as a JSON object; empty if there are none.
QString partMeta(const MessagePart& part);
void readPartMeta(const QString& meta, MessagePart& part);

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::PartPiece)
