// SPDX-License-Identifier: Apache-2.0
// The system's folders for data and caches, the same as Qt's QStandardPaths::AppDataLocation and CacheLocation.
#include "cli/data_folder.h"

#include <cstdlib>
#include <filesystem>

namespace coterie::app {

namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)
/// Returns an empty path if the variable isn't set.
fs::path variable(const wchar_t* name) {
    const wchar_t* value = _wgetenv(name);
    return value != nullptr ? fs::path(value) : fs::path();
}
#else
/// Returns an empty path if the variable isn't set or holds no absolute path.
fs::path variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing writes the environment
    const fs::path path(value != nullptr ? value : "");
    return path.is_absolute() ? path : fs::path();
}
#endif

/// Returns an empty path if `folder` is empty.
fs::path within(const fs::path& folder, const char* below) { return folder.empty() ? folder : folder / below; }

fs::path dataFolder() {
#if defined(_WIN32)
    return within(variable(L"APPDATA"), "Coterie");
#elif defined(__APPLE__)
    return within(variable("HOME"), "Library/Application Support/Coterie");
#else
    const fs::path data = variable("XDG_DATA_HOME");
    return data.empty() ? within(variable("HOME"), ".local/share/Coterie") : data / "Coterie";
#endif
}

/// Returns the folder for large files that can be made again. On Windows this is not the one that follows the user from
/// machine to machine.
fs::path cacheFolder() {
#if defined(_WIN32)
    return within(variable(L"LOCALAPPDATA"), "Coterie/cache");
#elif defined(__APPLE__)
    return within(variable("HOME"), "Library/Caches/Coterie");
#else
    const fs::path cache = variable("XDG_CACHE_HOME");
    return cache.empty() ? within(variable("HOME"), ".cache/Coterie") : cache / "Coterie";
#endif
}

fs::path pathOf(const std::string& text) { return {std::u8string(text.begin(), text.end())}; }
std::string textOf(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

} // namespace

std::string usualDataFolder() { return textOf(dataFolder()); }

std::string usualPackedFolder() { return textOf(within(cacheFolder(), "packed")); }

std::string packedFolderIn(const std::string& folder) { return textOf(within(pathOf(folder), "packed")); }

} // namespace coterie::app
