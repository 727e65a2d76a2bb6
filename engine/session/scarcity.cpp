// SPDX-License-Identifier: Apache-2.0
// See scarcity.h.
#include "session/scarcity.h"

#include "session/session.h"

namespace coterie::engine {

Result<RoutingWhen> parseRoutingWhen(std::string_view name) {
    if (name == "always") return RoutingWhen::Always;
    if (name == "scarce") return RoutingWhen::Scarce;
    return Error{ErrorKind::BadInput,
                 {"There is no time called '%1'", name},
                 "It is always, or scarce (while energy or memory is short)",
                 "Choose one of these, or leave the option out"};
}

void Scarcity::watchPower() {
    if (ticker_) return;
    look();
    ticker_ = Ticker::start([this] { look(); }, interval_);
}

} // namespace coterie::engine
