// SPDX-License-Identifier: Apache-2.0
// The commands of the window, with their keys.
#pragma once

namespace coterie::app {

class CommandList;
class Pages;
class Panes;
class ToolRunner;

/// Adds all commands. The window runs those that concern only itself (CommandList::wanted()): a place for the focus, a
/// dialog, the size of the text. The arguments outlive the list.
void addWindowCommands(CommandList& commands, Panes& panes, Pages& pages, ToolRunner& tools);

} // namespace coterie::app
