// SPDX-License-Identifier: Apache-2.0
// The system's folders for data and caches, the same as Qt's QStandardPaths::AppDataLocation and CacheLocation.
#include "cli/data_folder.h"

#include "base/files.h"

#include <cstdlib>
#include <filesystem>

namespace coterie::app {

namespace {

#if defined(_WIN32)
/// Returns an empty text if the variable isn't set.
std::string variable(const wchar_t* name) {
    const wchar_t* value = _wgetenv(name);
    const std::u8string text = std::filesystem::path(value != nullptr ? value : L"").u8string();
    return {text.begin(), text.end()};
}
#else
/// Returns an empty text if the variable isn't set or holds no absolute path.
std::string variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing writes the environment
    return value != nullptr && std::filesystem::path(value).is_absolute() ? value : "";
}
#endif

/// Returns an empty path if `folder` is empty.
std::string within(const std::string& folder, const char* below) {
    return folder.empty() ? folder : engine::joinPath(folder, below);
}

/// Returns the folder for large files that can be made again. On Windows this is not the one that follows the user from
/// machine to machine.
std::string cacheFolder() {
#if defined(_WIN32)
    return within(variable(L"LOCALAPPDATA"), "Coterie/cache");
#elif defined(__APPLE__)
    return within(variable("HOME"), "Library/Caches/Coterie");
#else
    const std::string cache = within(variable("XDG_CACHE_HOME"), "Coterie");
    return cache.empty() ? within(variable("HOME"), ".cache/Coterie") : cache;
#endif
}

} // namespace

std::string usualDataFolder() {
#if defined(_WIN32)
    return within(variable(L"APPDATA"), "Coterie");
#elif defined(__APPLE__)
    return within(variable("HOME"), "Library/Application Support/Coterie");
#else
    const std::string data = within(variable("XDG_DATA_HOME"), "Coterie");
    return data.empty() ? within(variable("HOME"), ".local/share/Coterie") : data;
#endif
}

std::string usualPackedFolder() { return within(cacheFolder(), "packed"); }

std::string packedFolderIn(const std::string& folder) { return within(folder, "packed"); }

} // namespace coterie::app
