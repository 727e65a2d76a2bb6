// SPDX-License-Identifier: Apache-2.0
// The trace and the tokens of one answer, as the inspector shows them and the store keeps them. While the answer is
// written, the engine's thread adds to the trace, which is thread-safe; everything else belongs to the GUI thread.
#pragma once

#include "records/trace_log.h"
#include "session/session.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <vector>

namespace coterie::app {

struct AnswerRecord {
    qint64 message = 0;
    std::shared_ptr<const engine::TraceLog> trace{}; ///< nothing if the answer was not traced
    /// Those of the answer. The tokens of a text that it continues are among them if the record of that text was known.
    std::vector<engine::TokenRecord> tokens{};

    bool empty() const { return trace == nullptr || trace->newest() < 0; }
};

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::AnswerRecord)
