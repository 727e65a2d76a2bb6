// SPDX-License-Identifier: Apache-2.0
// See scarcity.h.
#include "session/scarcity.h"

namespace coterie::engine {

void Scarcity::watchPower() {
    if (ticker_) return;
    look();
    ticker_ = Ticker::start([this] { look(); }, interval_);
}

} // namespace coterie::engine
