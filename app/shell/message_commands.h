// SPDX-License-Identifier: Apache-2.0
// The commands that change messages, and undo and redo.
#pragma once

namespace coterie::app {

class CommandList;
class Pages;
class Panes;
class UndoStack;

/// Adds Undo and Redo, whose titles name what they do. The arguments outlive the list.
void addUndoCommands(CommandList& commands, UndoStack& undo);

/// Adds what can be done to a message of the active chat: to the one that has the focus, or else to the last one. A
/// command that runs shows the chat. The arguments outlive the list.
void addMessageCommands(CommandList& commands, Panes& panes, Pages& pages);

} // namespace coterie::app
