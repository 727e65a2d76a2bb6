// SPDX-License-Identifier: Apache-2.0
// The texts of a list in the order in which they are shown, for a selection that reaches over several of them
// (list_selection.h). A model of messages implements it. Used on the GUI thread.
#pragma once

#include "text/text_document.h"

#include <QtPlugin>

namespace coterie::app {

class TextSequence {
  public:
    virtual ~TextSequence() = default;
    /// Returns the place of the text in the list, or -1 if it is not there.
    virtual int indexOf(const TextDocument* text) const = 0;
    /// Returns the text at this place, or null if the list has no such place.
    virtual TextDocument* textAt(int index) const = 0;
};

} // namespace coterie::app

Q_DECLARE_INTERFACE(coterie::app::TextSequence, "coterie.TextSequence")
