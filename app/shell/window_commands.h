// SPDX-License-Identifier: Apache-2.0
// The commands of the window, with their keys.
#pragma once

namespace coterie::app {

class App;
class CommandList;

/// Adds all commands. The window runs those that concern only itself (CommandList::wanted()): a place for the focus, a
/// dialog, the size of the text. The parts of `app` outlive the list.
void addWindowCommands(CommandList& commands, App& app);

} // namespace coterie::app
