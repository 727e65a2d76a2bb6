// SPDX-License-Identifier: Apache-2.0
// Where the program keeps what it knows of models: beside the window's chats and settings.
#pragma once

#include <string>

namespace coterie::app {

/// Where the window keeps its things, whether it is there or not. Empty where the system doesn't tell. UTF-8.
std::string usualDataFolder();
/// Makes it, with those above it, where it isn't there. What can't be made stays away.
void makeFolder(const std::string& folder);

} // namespace coterie::app
