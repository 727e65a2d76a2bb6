// SPDX-License-Identifier: Apache-2.0
// The small files in which Linux says how the machine is: /proc, /sys and cgroups. For base/ alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

/// These files are made up by the kernel when read: their size says nothing, so they are read until they end, or up to
/// 64 KiB. Empty where there is none.
std::string readKernelText(const std::string& path);

/// The number at the front of `text`, behind blanks; nothing for "max" and the like.
std::optional<uint64_t> leadingNumber(std::string_view text);

} // namespace coterie::engine
