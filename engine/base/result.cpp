// SPDX-License-Identifier: Apache-2.0
// How an error reads on one line.
#include "base/result.h"

#include <algorithm>

namespace coterie::engine {

Sentence Error::sentence() const {
    if (why.empty() && action.empty()) return what;
    if (action.empty()) return {"%1; %2", what, why};
    if (why.empty()) return {"%1; %2", what, action};
    return {"%1; %2; %3", what, why, action};
}

std::string Error::line() const {
    std::string line;
    for (const Sentence* part : {&what, &why, &action}) {
        std::string text = part->english();
        std::replace(text.begin(), text.end(), ';', ',');
        // A path or a template's words may hold anything; one error stays one line.
        std::replace_if(
            text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
        if (!text.empty()) line += (line.empty() ? "" : "; ") + text;
    }
    return line;
}

} // namespace coterie::engine
