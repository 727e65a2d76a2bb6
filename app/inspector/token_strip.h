// SPDX-License-Identifier: Apache-2.0
// The tokens around the current one, as the strip below the timeline shows them. TokenCells (token_strip_item.h) draws
// them. Plain values.
#pragma once

#include <QMetaType>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

struct StripToken {
    int position = 0;     ///< a position of the trace
    QString words{};      ///< the text that the token wrote, or the vocabulary's name of one that writes none
    bool thought = false; ///< it belongs to a thought before the answer
    bool marker = false;  ///< it has no part in the text of a message: its words are a name
    double share = 0;     ///< 0..1: the strength of its colour
    QString value{};      ///< its measure as text; empty if it has none
    bool operator==(const StripToken&) const = default;
};

struct TokenStrip {
    Q_GADGET
    QML_VALUE_TYPE(tokenStrip)
  public:
    std::vector<StripToken> tokens{}; ///< their positions follow each other
    int from = 0, all = 0;            ///< how many tokens of the answer are before them, and how many it has
    bool prompt = false;              ///< they are tokens of the prompt instead, and counted there
    bool operator==(const TokenStrip&) const = default;
};

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::TokenStrip)
