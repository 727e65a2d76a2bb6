// SPDX-License-Identifier: Apache-2.0
// Where the program keeps what it knows of models: beside the window's chats and settings, and what can be made again
// in the system's folder for such.
#pragma once

#include <string>

namespace coterie::app {

/// Where the window keeps its things, whether it is there or not. Empty where the system doesn't tell. UTF-8.
std::string usualDataFolder();
/// Where packed files lie, whether it is there or not, as the window has it too. Empty where the system doesn't tell.
/// UTF-8.
std::string usualPackedFolder();
/// The same for a data folder that the user has chosen.
std::string packedFolderIn(const std::string& dataFolder);

} // namespace coterie::app
