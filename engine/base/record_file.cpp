// SPDX-License-Identifier: Apache-2.0
// See record_file.h.
#include "base/record_file.h"

#include "base/number_text.h"

namespace coterie::engine {

RecordPlace::RecordPlace(const std::string& in, std::string_view kind, std::optional<uint64_t> identity) {
    if (in.empty() || !identity) return;
    folder = in;
    path = joinPath(in, std::string(kind) + "-" + hexText(*identity));
}

} // namespace coterie::engine
