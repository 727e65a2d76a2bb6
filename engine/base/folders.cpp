// SPDX-License-Identifier: Apache-2.0
// See folders.h.
#include "base/folders.h"

#include "base/file_errors.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

namespace coterie::engine {

namespace {

namespace fs = std::filesystem;

fs::path toPath(const std::string& text) { return {std::u8string(text.begin(), text.end())}; }

std::string toText(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

FileFault faultOf(const std::error_code& code) {
    if (code == std::errc::no_such_file_or_directory) return FileFault::Missing;
    if (code == std::errc::permission_denied || code == std::errc::operation_not_permitted) return FileFault::Denied;
    if (code == std::errc::read_only_file_system) return FileFault::ReadOnly;
    if (code == std::errc::no_space_on_device) return FileFault::Full;
    if (code == std::errc::filename_too_long) return FileFault::NameTooLong;
    return FileFault::Other;
}

Error failure(FileCall call, const std::string& path, const std::error_code& code) {
    return fileError(call, path, faultOf(code), code.message());
}

int64_t nanosecondsOf(fs::file_time_type time) {
    // C++20's clock_cast is not in every library yet: both clocks are read, and the difference is taken.
    const auto ago = fs::file_time_type::clock::now() - time;
    const auto then = std::chrono::system_clock::now().time_since_epoch() - ago;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(then).count();
}

} // namespace

std::string folderOf(const std::string& path) {
    const std::string folder = toText(toPath(path).parent_path());
    return folder.empty() ? "." : folder;
}

Result<std::vector<FolderEntry>> FolderCalls::listFiles(const std::string& folder) {
    std::vector<FolderEntry> found;
    std::error_code failed;
    fs::directory_iterator entry(toPath(folder), failed);
    if (failed == std::errc::no_such_file_or_directory) return found;
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        // A file that another process removes meanwhile is not listed.
        std::error_code gone;
        if (!entry->is_regular_file(gone) || gone) continue;
        const uintmax_t bytes = entry->file_size(gone);
        const fs::file_time_type changed = gone ? fs::file_time_type() : entry->last_write_time(gone);
        if (!gone) found.push_back({toText(entry->path().filename()), bytes, nanosecondsOf(changed)});
    }
    if (failed) return failure(FileCall::List, folder, failed);
    std::sort(found.begin(), found.end(), [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    return found;
}

Status FolderCalls::removeFile(const std::string& path) {
    std::error_code failed;
    fs::remove(toPath(path), failed);
    if (failed) return failure(FileCall::Remove, path, failed);
    return {};
}

Status FolderCalls::makeFolder(const std::string& folder) {
    std::error_code failed;
    fs::create_directories(toPath(folder), failed);
    if (failed) return failure(FileCall::MakeFolder, folder, failed);
    return {};
}

Result<uint64_t> FolderCalls::freeSpace(const std::string& folder) {
    std::error_code failed;
    const fs::space_info room = fs::space(toPath(folder), failed);
    if (failed) return failure(FileCall::Measure, folder, failed);
    return static_cast<uint64_t>(room.available);
}

std::string joinPath(const std::string& folder, const std::string& name) {
    return toText(toPath(folder) / toPath(name));
}

std::string fileStem(const std::string& path) { return toText(toPath(path).stem()); }

std::string absolutePath(const std::string& path) {
    std::error_code failed;
    const fs::path whole = fs::absolute(toPath(path), failed);
    return failed ? path : toText(whole.lexically_normal());
}

} // namespace coterie::engine
