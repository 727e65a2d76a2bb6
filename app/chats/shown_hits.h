// SPDX-License-Identifier: Apache-2.0
// Finds words in the text of a message as it is shown: a phrase that goes over markup is found, and markup is not.
// The hits are ranges of the message's parts, so that they stay right however the text is shown.
//
//     hitsIn(block, FoldedText::fold(u"bold word"), 10); // of "a **bold** word": {0, 4, 15}
#pragma once

#include "chats/folded_text.h"
#include "text/text_document.h"

#include <QObject>
#include <QPointer>

#include <vector>

namespace coterie::app {

/// Returns where `words`, which FoldedText::fold() made, are in a block. `most`: no more than these are returned. Any
/// thread may call it.
std::vector<PartRange> hitsIn(const TextBlock& block, const QString& words, size_t most);

/// The hits in a message that is being written. Only what its document changed is searched again. Lives on the GUI
/// thread.
class GrowingHits : public QObject {
  public:
    /// words: made by FoldedText::fold().
    GrowingHits(TextDocument* document, QString words);

    /// The document that is searched; nullptr once it is gone.
    const TextDocument* document() const { return document_; }
    /// Searches what changed since the last call. Returns the number of hits that stay; those after them are in
    /// added().
    size_t update(size_t most);
    const std::vector<PartRange>& added() const { return added_; }

  private:
    /// A block, as far as it was searched.
    struct Searched {
        FoldedText text{};
        qsizetype from = 0;              ///< letters before this one belong to no hit to come
        std::vector<TextRange> found{};  ///< in the block's text
        std::vector<PartRange> ranges{}; ///< [found] in the message's part
    };

    void onChanged(int block, qsizetype kept);
    void onRemoved(int first);
    void search(Searched& searched, const TextBlock& block, size_t most) const;

    QPointer<TextDocument> document_;
    QString words_;
    std::vector<Searched> blocks_;
    size_t changed_ = 0; ///< the first block that changed since the last update
    std::vector<PartRange> added_;
};

} // namespace coterie::app
