// SPDX-License-Identifier: Apache-2.0
// See record_file.h.
#include "base/record_file.h"

#include <cstdio>

namespace coterie::engine {

RecordPlace::RecordPlace(const std::string& in, std::string_view kind, std::optional<uint64_t> identity) {
    if (in.empty() || !identity) return;
    char digits[24];
    std::snprintf(digits, sizeof digits, "-%016llx", static_cast<unsigned long long>(*identity));
    folder = in;
    path = joinPath(in, std::string(kind) + digits);
}

} // namespace coterie::engine
