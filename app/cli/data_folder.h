// SPDX-License-Identifier: Apache-2.0
// Finds the folders of the program's data: records lie beside the window's chats and settings, and packed files, which
// can be written again, in the system's cache folder.
#pragma once

#include <string>

namespace coterie::app {

/// Returns the window's data folder, whether it exists or not; empty if the system doesn't name one. UTF-8.
std::string usualDataFolder();
/// Returns the folder of packed files, which is also the window's, whether it exists or not; empty if the system
/// doesn't name one. UTF-8.
std::string usualPackedFolder();
/// Returns the folder of packed files below a data folder that the user has chosen.
std::string packedFolderIn(const std::string& dataFolder);

} // namespace coterie::app
