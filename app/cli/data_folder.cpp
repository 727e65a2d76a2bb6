// SPDX-License-Identifier: Apache-2.0
// The system's words for such a place, as Qt has them too (QStandardPaths::AppDataLocation).
#include "cli/data_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace coterie::app {

namespace {

namespace fs = std::filesystem;

/// Empty where the system doesn't tell.
fs::path usualFolder() {
#if defined(_WIN32)
    const wchar_t* roaming = _wgetenv(L"APPDATA");
    return roaming != nullptr && *roaming != 0 ? fs::path(roaming) / "Coterie" : fs::path();
#else
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value != nullptr ? value : "");
    };
    const fs::path home = variable("HOME");
#if defined(__APPLE__)
    return home.is_absolute() ? home / "Library/Application Support/Coterie" : fs::path();
#else
    if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute()) return data / "Coterie";
    return home.is_absolute() ? home / ".local/share/Coterie" : fs::path();
#endif
#endif
}

} // namespace

std::string usualDataFolder() {
    const std::u8string text = usualFolder().u8string();
    return {text.begin(), text.end()};
}

void makeFolder(const std::string& folder) {
    std::error_code failed; // then nothing is kept, and everything works
    fs::create_directories(fs::path(std::u8string(folder.begin(), folder.end())), failed);
}

} // namespace coterie::app
