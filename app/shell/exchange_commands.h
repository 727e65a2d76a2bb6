// SPDX-License-Identifier: Apache-2.0
// The commands that export and import chats. The window opens their dialogs: see ui/ExchangeDialogs.qml.
#pragma once

namespace coterie::app {

class ChatExchange;
class CommandList;
class Panes;

/// Adds the commands. The arguments outlive the list.
void addExchangeCommands(CommandList& commands, Panes& panes, ChatExchange& exchange);

} // namespace coterie::app
