// SPDX-License-Identifier: Apache-2.0
// An answer as one text, which is how it is stored, searched and shown: thoughts in <think> tags, tool calls in
// <tool_call> tags, whatever the model's own way of writing them.
#pragma once

#include "session/session.h"

#include <string>
#include <string_view>

namespace coterie::app {

/// One answer as it grows. Any one thread.
class AnswerRecord {
  public:
    /// What the delta adds to the text. Calls outside a chat's answer (raw text) never have a part but Text: they pass.
    std::string add(const engine::Delta& delta);

  private:
    engine::PartKind kind_ = engine::PartKind::Text;
    bool empty_ = true; ///< nothing has been added
};

/// The message that a stored answer is, for the next prompt.
engine::Message assistantMessage(std::string_view record);

} // namespace coterie::app
