// SPDX-License-Identifier: Apache-2.0
// The small files in which Linux describes the machine: /proc, /sys and cgroups. Only for base/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

/// Reads such a file. The kernel makes up its text during the read, and its size means nothing, so it is read to its
/// end, or up to 64 KiB. Returns an empty text if there is no such file.
std::string readKernelText(const std::string& path);

/// The number at the front of `text`, after blanks. Returns nothing for "max" and other words.
std::optional<uint64_t> leadingNumber(std::string_view text);

} // namespace coterie::engine
