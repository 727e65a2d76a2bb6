// SPDX-License-Identifier: Apache-2.0
// An answer in any bytes, up to the lines of its blocks: the first byte says how the text is cut. The blocks and their
// lines must not depend on the cuts, every character must have its place, and points must find characters.
#include "fuzz_application.h"
#include "markdown/block_parser.h"
#include "text/message_layout.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace coterie::app;

namespace {

constexpr qreal kWidth = 320;

void require(bool holds) {
    if (!holds) std::abort();
}

/// A document with its layout, which follows as a view does.
class Shown {
  public:
    Shown() {
        layout_.layOut(document_, style_, kWidth);
        QObject::connect(&document_, &TextDocument::blockAdded, [this] { layout_.addBlock(); });
        QObject::connect(&document_, &TextDocument::blockChanged,
                         [this](int block, qsizetype kept) { layout_.change(block, kept); });
        QObject::connect(&document_, &TextDocument::blocksRemoved, [this](int first) { layout_.keep(first); });
    }

    void read(const QString& text, qsizetype step) {
        BlockParser parser(document_, 0);
        for (qsizetype at = 0; at < text.size(); at += step) parser.append(QStringView(text).mid(at, step));
        parser.finish();
    }
    const TextDocument& document() const { return document_; }
    const MessageLayout& layout() const { return layout_; }

  private:
    TextStyle style_;
    TextDocument document_;
    MessageLayout layout_;
};

void requireSame(const Shown& a, const Shown& b) {
    require(a.document().blocks() == b.document().blocks());
    require(a.layout().height() == b.layout().height());
    for (int i = 0; i < a.document().count(); ++i)
        require(a.layout().block(i).lines->lines().size() == b.layout().block(i).lines->lines().size());
}

void requirePlaces(const Shown& shown, qsizetype length) {
    const TextDocument& document = shown.document();
    for (int i = 0; i < document.count(); ++i) {
        const TextBlock& block = document.block(i);
        for (qsizetype at = 0; at < block.text.size(); ++at) {
            const qsizetype source = block.sourceAt(at);
            require(source >= -1 && source < std::max<qsizetype>(length, 1));
        }
        require(block.sourceEnd() <= length);
        const TextPosition end{i, block.text.size()};
        require(!(document.positionAt(document.flatOffset(end)) < end));
        const TextPosition found = shown.layout().positionAt(shown.layout().caretAt(end).center());
        require(found.block >= 0 && found.block < document.count());
    }
    require(document.flatText().size() == document.length());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 1) return 0;
    startApplication([] { Shown().read(QStringLiteral("*a* $x$\n\n    b\n"), 1); });
    const QString text = QString::fromUtf8(reinterpret_cast<const char*>(data) + 1, static_cast<qsizetype>(size) - 1);
    Shown whole, cut;
    whole.read(text, text.size() + 1);
    cut.read(text, 1 + data[0] % 16);
    requireSame(whole, cut);
    requirePlaces(whole, text.size());
    return 0;
}
