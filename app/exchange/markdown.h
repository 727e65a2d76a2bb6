// SPDX-License-Identifier: Apache-2.0
// A chat as Markdown, for people: the chat's own settings, a heading for each message with the model's name and the
// date, thoughts as quotes, tool calls and attached texts as code. It can't be imported again; JSON is for that.
//
//     file.write(markdownOf(tree, false).toUtf8());
//
// Threads: any.
#pragma once

#include "store/chat_tree.h"

#include <QString>

namespace coterie::app {

/// branches: all of them, each with the number of the message that it follows; otherwise the path that is shown.
QString markdownOf(const ChatTree& tree, bool branches);

} // namespace coterie::app
