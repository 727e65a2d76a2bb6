// SPDX-License-Identifier: Apache-2.0
// See pages.h.
#include "pages.h"

namespace coterie::app {

void Pages::open(Page page) {
    if (page == current_) return;
    current_ = page;
    Q_EMIT currentChanged();
}

} // namespace coterie::app
