// SPDX-License-Identifier: Apache-2.0
// A part of a message as the store keeps it and the window shows it: the engine's part (prompt/parts.h) with Qt's
// strings. An answer that streams arrives in pieces, each of which belongs to one part.
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

struct MessagePart {
    engine::PartKind kind = engine::PartKind::Text;
    QString text{};      ///< as in engine::Part; for a call: the words that the model wrote
    QString tool{};      ///< the tool that a call or a result names; empty for a call that is code
    QString arguments{}; ///< a call's arguments: a JSON object as text
    QString code{};      ///< the source of a call in code form

    bool operator==(const MessagePart& other) const = default;
};

/// The next words of the part with this index, or that whole part if it is new.
struct PartPiece {
    qsizetype index = 0;
    MessagePart part;
};

MessagePart partFrom(engine::PartKind kind, std::string_view text, const engine::ToolCall& call);
engine::Part enginePart(const MessagePart& part);

/// One text part, or none if the text is empty.
std::vector<MessagePart> textParts(const QString& text);
/// Returns the text parts only, with an empty line between two of them. This text is copied, searched and read aloud.
QString plainText(std::span<const MessagePart> parts);

/// Appends the piece. Pieces come in the order of their parts.
void addPiece(std::vector<MessagePart>& parts, const PartPiece& piece);

/// The names under which the store keeps kinds.
QString partKindName(engine::PartKind kind);
std::optional<engine::PartKind> partKindFrom(const QString& name);
/// Returns the fields of a part besides its kind and text as a JSON object; empty if there are none.
QString partMeta(const MessagePart& part);
void readPartMeta(const QString& meta, MessagePart& part);

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::PartPiece)
