// SPDX-License-Identifier: Apache-2.0
// How an error reads on one line.
#include "base/result.h"

namespace coterie::engine {

std::string Error::line() const {
    std::string text = what;
    for (const std::string* part : {&why, &action})
        if (!part->empty()) text += (text.empty() ? "" : "; ") + *part;
    // A path or a template's words may hold anything; one error stays one line.
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

} // namespace coterie::engine
