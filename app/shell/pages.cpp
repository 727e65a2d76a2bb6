// SPDX-License-Identifier: Apache-2.0
// See pages.h.
#include "shell/pages.h"

namespace coterie::app {

void Pages::open(Page page) {
    setPalette(false);
    setChatsOver(false);
    if (page == current()) return;
    if (page == Activity) stack_.clear(); // it shows an answer of the conversation, and leads back there
    if (page == Settings) stack_.removeAll(ChatSettings);
    if (page == ChatSettings) stack_.removeAll(Settings);
    if (const qsizetype at = stack_.indexOf(page); page == Chat || at >= 0)
        stack_.resize(at + 1);
    else
        stack_.append(page);
    Q_EMIT currentChanged();
}

void Pages::setChatsOver(bool over) {
    if (over == chatsOver_) return;
    chatsOver_ = over;
    Q_EMIT chatsOverChanged();
}

void Pages::setPalette(bool palette) {
    if (palette == palette_) return;
    palette_ = palette;
    Q_EMIT paletteChanged();
}

} // namespace coterie::app
