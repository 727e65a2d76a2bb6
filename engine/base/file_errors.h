// SPDX-License-Identifier: Apache-2.0
// How a failed file-system call reads to people, the same on every system. For base/ alone.
#pragma once

#include "base/result.h"

#include <string>

namespace coterie::engine {

/// What a system call's error code comes down to.
enum class FileFault { Missing, Denied, ReadOnly, Full, Folder, NotRegular, TooManyOpen, NameTooLong, BadName, Other };

/// "Can't `verb` `path`", with why and what to do. `systemText` is the system's own sentence, used for Other.
Error fileError(const char* verb, const std::string& path, FileFault fault, const std::string& systemText);
/// The file ended before `expected` bytes from `offset` were there.
Error shortReadError(const std::string& path);

} // namespace coterie::engine
