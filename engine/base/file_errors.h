// SPDX-License-Identifier: Apache-2.0
// The errors of failed file-system calls, in the same words on every system. Only for base/.
#pragma once

#include "base/result.h"

#include <string>

namespace coterie::engine {

/// The call that failed.
enum class FileCall { Open, Read, Write, Replace, List, Remove, MakeFolder, Measure };
/// The reason, from a system call's error code.
enum class FileFault { Missing, Denied, ReadOnly, Full, Folder, NotRegular, TooManyOpen, NameTooLong, BadName, Other };

/// An error that names the call and the path. systemText: the system's own sentence, which FileFault::Other needs.
Error fileError(FileCall call, const std::string& path, FileFault fault, const std::string& systemText = {});
/// The file ended before all the bytes that were asked for.
Error shortReadError(const std::string& path);
/// Another program wrote to the file while it was open.
Error changedFileError(const std::string& path);

} // namespace coterie::engine
