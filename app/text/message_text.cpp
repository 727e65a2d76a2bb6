// SPDX-License-Identifier: Apache-2.0
// See message_text.h. Text that was added is laid out at once, so that the list around it knows the height before the
// next frame. Pictures of lines are made once a frame, when it is known what is in view.
#include "text/message_text.h"

#include "text/message_text_accessible.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QQuickWindow>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

constexpr qreal kHitLine = 2; // px; as thick as the ring around what has the focus

} // namespace

MessageText::MessageText(QQuickItem* parent) : QQuickItem(parent) {
    installMessageTextAccessible();
    setFlag(ItemHasContents);
    setFlag(ItemObservesViewport);
    setAcceptedMouseButtons(Qt::LeftButton);
    setAcceptHoverEvents(true);
    setCursor(Qt::IBeamCursor);
}

void MessageText::setDocument(TextDocument* document) {
    if (document == document_) return;
    if (document_) disconnect(document_, nullptr, this, nullptr);
    document_ = document;
    selection_ = {};
    clicked_.reset();
    announced_.clear();
    if (document_) {
        connect(document_, &TextDocument::blockAdded, this, &MessageText::onBlockAdded);
        connect(document_, &TextDocument::blockChanged, this, &MessageText::onBlockChanged);
        connect(document_, &TextDocument::blocksRemoved, this, &MessageText::onBlocksRemoved);
        connect(document_, &TextDocument::lastClosed, this, &MessageText::showChange);
        connect(document_, &TextDocument::foldingChanged, this, &MessageText::onFoldingChanged);
        connect(document_, &TextDocument::tintsChanged, this, &MessageText::showChange);
        connect(document_, &TextDocument::marksChanged, this, &MessageText::showChange);
        connect(document_, &QObject::destroyed, this, &MessageText::layOut);
    }
    layOut();
    Q_EMIT documentChanged();
    Q_EMIT selectionChanged();
}

void MessageText::setStyle(TextStyle* style) {
    if (style == style_) return;
    if (style_) disconnect(style_, nullptr, this, nullptr);
    style_ = style;
    if (style_) {
        connect(style_, &TextStyle::changed, this, &MessageText::onStyleChanged);
        connect(style_, &TextStyle::coloursChanged, this, &MessageText::onStyleChanged); // lines have colours too
    }
    layOut();
    Q_EMIT styleChanged();
}

void MessageText::setRoom(qreal room) {
    if (room == room_) return;
    room_ = room;
    layOut();
    Q_EMIT roomChanged();
}

void MessageText::setAcross(ListSelection* across) {
    if (across == across_) return;
    if (across_) disconnect(across_, nullptr, this, nullptr);
    across_ = across;
    if (across_) across_->add(this);
    Q_EMIT acrossChanged();
}

void MessageText::componentComplete() {
    QQuickItem::componentComplete();
    layOut();
}

void MessageText::layOut() {
    tiles_.forgetAll();
    if (!ready()) {
        layout_.clear();
        codeFrames_.clear();
        thoughtFrames_.clear();
        tableFrames_.clear();
        links_.clear();
        tiles_.setUnder({});
        update();
        return;
    }
    layout_.layOut(*document_, *style_, room_);
    showChange();
}

void MessageText::onBlockAdded() {
    if (!ready()) return;
    layout_.addBlock();
    showChange();
    announceGrowth();
}

void MessageText::onBlockChanged(int block, qsizetype kept) {
    selection_.keepIn(*document_);
    if (!ready()) return;
    tiles_.forget(block, layout_.change(block, kept));
    showChange();
    announceGrowth();
}

void MessageText::onBlocksRemoved(int first) {
    selection_.keepIn(*document_);
    if (!ready()) return;
    tiles_.forgetFrom(first);
    layout_.keep(first);
    showChange();
}

/// A larger font changes many values, one after the other: the text is laid out once, before the next frame.
void MessageText::onStyleChanged() {
    stale_ = true;
    askForFrame();
}

void MessageText::onFoldingChanged(int block) {
    if (!ready()) return;
    tiles_.forget(block);
    layout_.refold(block);
    showChange();
}

/// Something is at another place, or looks different.
void MessageText::showChange() {
    if (!ready()) return;
    setImplicitSize(std::ceil(layout_.naturalWidth()), layout_.height());
    setActiveFocusOnTab(std::any_of(layout_.blocks().begin(), layout_.blocks().end(),
                                    [](const MessageLayout::Block& block) { return block.shown; }));
    if (const int count = layout_.lineCount(); count != lineCount_) {
        lineCount_ = count;
        Q_EMIT lineCountChanged();
    }
    changed_ = true;
    askForFrame();
}

/// Informs screen readers about other text at the end.
void MessageText::announceGrowth() {
    if (!QAccessible::isActive()) return;
    const QString text = document_->flatText();
    const QString before = std::exchange(announced_, text);
    const auto differ = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
    const auto same = static_cast<int>(differ.first - before.begin());
    if (same < before.size()) {
        QAccessibleTextUpdateEvent event(this, same, before.mid(same), text.mid(same));
        QAccessible::updateAccessibility(&event);
    } else if (same < text.size()) {
        QAccessibleTextInsertEvent event(this, same, text.mid(same));
        QAccessible::updateAccessibility(&event);
    }
}

QRectF MessageText::view() const {
    const QQuickItem* viewport = viewportItem();
    return viewport ? mapRectFromItem(viewport, QRectF(0, 0, viewport->width(), viewport->height())) : QRectF();
}

void MessageText::itemChange(ItemChange change, const ItemChangeData& value) {
    if (change == ItemSceneChange || change == ItemDevicePixelRatioHasChanged || change == ItemVisibleHasChanged) {
        changed_ = true;
        askForFrame();
    }
    QQuickItem::itemChange(change, value);
}

/// update() is called here because it would ask for one more frame in updatePolish().
void MessageText::askForFrame() {
    polish();
    update();
}

/// The text in view depends on the places of all items between this one and the viewport: each may move.
void MessageText::watchMoves() {
    QList<QPointer<QQuickItem>> above;
    const QQuickItem* viewport = viewportItem();
    for (QQuickItem* item = this; item; item = item->parentItem()) {
        above.append(item);
        if (item == viewport) break;
    }
    if (above == watched_) return;
    for (const QPointer<QQuickItem>& item : std::exchange(watched_, above))
        if (item) disconnect(item, nullptr, this, nullptr);
    for (const QPointer<QQuickItem>& item : above) {
        connect(item, &QQuickItem::xChanged, this, &MessageText::askForFrame);
        connect(item, &QQuickItem::yChanged, this, &MessageText::askForFrame);
    }
    connect(above.last(), &QQuickItem::widthChanged, this, &MessageText::askForFrame);
    connect(above.last(), &QQuickItem::heightChanged, this, &MessageText::askForFrame);
}

/// Makes what the next frame needs.
void MessageText::updatePolish() {
    if (std::exchange(stale_, false)) layOut();
    if (!ready() || !isVisible() || !window()) return;
    watchMoves();
    const QRectF seen = view();
    const bool changed = std::exchange(changed_, false);
    if (seen == lastView_ && !changed) return;
    lastView_ = seen;
    updateFrames(seen); // the window may change a footer now, and this is called again
    const qreal top = std::max(0.0, seen.top()), bottom = std::min(layout_.height(), seen.bottom());
    const int before = tiles_.drawn(), count = tiles_.count();
    tiles_.update(layout_, *document_, *style_, top, bottom, window()->effectiveDevicePixelRatio());
    const bool coloured = !selectedRange().empty() || !document_->tints().empty() || !document_->marks().empty();
    if (tiles_.drawn() != before || tiles_.count() != count || changed || coloured) {
        tiles_.setTints(tintedWords(top, bottom));
        tiles_.setUnder(underLines(top, bottom));
        update();
    }
}

/// Frames have a margin, so that what the window draws around a block is there when the block comes into view.
void MessageText::updateFrames(const QRectF& view) {
    const qreal top = view.top() - view.height(), bottom = view.bottom() + view.height();
    codeFrames_.update(*document_, layout_, top, bottom);
    thoughtFrames_.update(*document_, layout_, top, bottom);
    tableFrames_.update(*document_, layout_, top, bottom);
    links_.update(*document_, layout_, view.top(), view.bottom());
}

std::vector<LineTiles::Under> MessageText::underLines(qreal top, qreal bottom) const {
    std::vector<LineTiles::Under> under;
    for (const QRectF& bar : layout_.bars(top, bottom)) under.push_back({bar, style_->line});
    addMarks(under, top, bottom);
    if (const TextSpan selected = selectedRange(); !selected.empty())
        for (const QRectF& place : layout_.rectangles(selected, top, bottom))
            under.push_back({place, style_->selection});
    return under;
}

/// Returns the colours of the words between these heights. White space around a word has none: at the end of a line it
/// would be a sliver.
LineTiles::Tints MessageText::tintedWords(qreal top, qreal bottom) const {
    LineTiles::Tints words;
    const std::vector<TextTint>& tints = document_->tints();
    if (tints.empty()) return words;
    layout_.forLines(top, bottom, [&](int block, int line) {
        const TextBlock& shown = document_->block(block);
        const TextLines::Line& at = layout_.block(block).lines->lines()[static_cast<size_t>(line)];
        const qsizetype source = shown.sourceFrom(at.begin);
        if (source < 0 || at.begin == at.end) return;
        const qsizetype lineEnd = shown.sourceFrom(at.end);
        const std::pair begin(shown.part, source);
        auto tint = std::lower_bound(tints.begin(), tints.end(), begin, [](const TextTint& t, const auto& place) {
            return std::pair(t.range.part, t.range.end) <= place;
        });
        for (; tint != tints.end() && tint->range.part == shown.part; ++tint) {
            auto [from, to] = shown.shownRange(tint->range.begin, tint->range.end);
            from = std::max(from, at.begin);
            to = std::min(to, at.end);
            if (lineEnd >= 0 && tint->range.begin >= lineEnd) break;
            while (from < to && shown.text[from].isSpace()) ++from;
            while (from < to && shown.text[to - 1].isSpace()) --to;
            if (from >= to) continue;
            const TextSpan range{{block, from}, {block, to}};
            for (const QRectF& place : layout_.rectangles(range))
                words[{block, line}].push_back({place, tint->colour, framesTokens_ ? tint->frame : QColor()});
        }
    });
    return words;
}

void MessageText::addMarks(std::vector<LineTiles::Under>& under, qreal top, qreal bottom) const {
    const std::vector<TextMark>& marks = document_->marks();
    const TextStyle* const style = style_;
    if (marks.empty() || !style) return;
    const int first = layout_.blockAt(top), last = layout_.blockAt(bottom);
    for (const TextMark& mark : marks)
        for (const TextSpan& span : document_->shown(mark.range)) {
            if (span.begin.block < first || span.begin.block > last) continue;
            for (const QRectF& place : layout_.rectangles(span, top, bottom)) {
                under.push_back({place, mark.current ? style->currentHit : style->hit});
                // Thicker lines, also above it, tell the current hit from the others without colours.
                const qreal line = mark.current ? kHitLine : kHitLine / 2;
                under.push_back({{place.left(), place.bottom() - line, place.width(), line}, style->hitLine});
                if (mark.current) under.push_back({{place.left(), place.top(), place.width(), line}, style->hitLine});
            }
        }
}

void MessageText::showMark() {
    if (!ready()) return;
    const std::vector<TextMark>& marks = document_->marks();
    const auto mark = std::find_if(marks.begin(), marks.end(), [](const TextMark& m) { return m.current; });
    if (mark == marks.end()) return;
    for (int i = 0; i < document_->count(); ++i)
        if (document_->block(i).part == mark->range.part) document_->setFolded(i, false);
    const std::vector<TextSpan> spans = document_->shown(mark->range);
    if (!spans.empty()) showPlace(spans.front().begin);
}

QSGNode* MessageText::updatePaintNode(QSGNode* old, UpdatePaintNodeData*) { return tiles_.nodes(*window(), old); }

QString MessageText::selectedText() const { return document_ ? document_->text(selectedRange()) : QString(); }

TextSpan MessageText::selectedRange() const {
    return across_ && across_->active() && document_ ? across_->rangeIn(*document_) : selection_.range();
}

void MessageText::setFramesTokens(bool frames) {
    if (frames == framesTokens_) return;
    framesTokens_ = frames;
    showChange();
    Q_EMIT framesTokensChanged();
}

void MessageText::select(TextPosition anchor, TextPosition caret) {
    selection_.set(anchor, caret);
    selectionMoved();
}

void MessageText::selectAll() {
    if (document_) select(document_->all().begin, document_->all().end);
}

void MessageText::deselect() {
    if (selection_.empty()) return;
    selection_.clear();
    selectionMoved();
}

bool MessageText::selectBlock(int step) {
    if (!ready()) return false;
    int from = step > 0 ? -1 : document_->count();
    if (hasActiveFocus())
        from = step > 0 && selection_.empty() ? selection_.caret().block - 1 : selection_.caret().block;
    if (!selection_.selectBlock(*document_, from, step)) return false;
    forceActiveFocus(Qt::ShortcutFocusReason);
    selectionMoved();
    Q_EMIT placeWanted(layout_.block(selection_.caret().block).text);
    return true;
}

void MessageText::showCaret() {
    selectionMoved();
    showPlace(selection_.caret());
}

/// Moves wide code until the place is in view, and asks the list to do the same.
void MessageText::showPlace(TextPosition position) {
    const MessageLayout::Block& block = layout_.block(position.block);
    const qreal x = layout_.caretAt(position).x();
    if (block.scrollable && (x < block.text.left() || x > block.text.right()))
        scrollBlock(position.block, x + block.scroll - block.text.center().x());
    Q_EMIT placeWanted(layout_.caretAt(position));
}

void MessageText::resume(TextSelection selection, TextPosition caret, Qt::FocusReason reason) {
    selection.extend(*document_, caret);
    selection_ = selection;
    forceActiveFocus(reason);
    if (reason == Qt::MouseFocusReason)
        selectionMoved();
    else
        showCaret();
}

void MessageText::showSelection() {
    changed_ = true;
    askForFrame();
    Q_EMIT selectionChanged();
}

void MessageText::selectionMoved() {
    clicked_.reset();
    if (across_ && document_ && hasActiveFocus()) across_->begin(document_, selection_);
    showSelection();
    if (!QAccessible::isActive() || !document_) return;
    const TextPosition caret = selection_.caret();
    const auto flat = [&](TextPosition at) { return static_cast<int>(document_->flatOffset(at)); };
    QAccessibleTextSelectionEvent event(this, flat(selection_.range().begin), flat(selection_.range().end));
    event.setCursorPosition(flat(caret));
    QAccessible::updateAccessibility(&event);
}

void MessageText::toggle(int block) {
    if (document_ && block >= 0 && block < document_->count())
        document_->setFolded(block, !document_->block(block).folded);
}

void MessageText::scrollBlock(int block, qreal x) {
    if (!ready() || block < 0 || block >= document_->count()) return;
    const qreal before = layout_.block(block).scroll;
    layout_.scrollTo(block, x);
    if (layout_.block(block).scroll == before) return;
    tiles_.forget(block);
    showChange();
}

void MessageText::wrapBlock(int block, bool wrapped) {
    if (!ready() || block < 0 || block >= document_->count() || layout_.block(block).wrapped == wrapped) return;
    layout_.wrap(block, wrapped);
    tiles_.forget(block);
    showChange();
}

void MessageText::setFooter(int block, qreal height) {
    if (!ready() || block < 0 || block >= document_->count() || layout_.block(block).footer == height) return;
    layout_.setFooter(block, height);
    showChange();
}

int MessageText::tokenAt(const QPointF& point) const {
    if (!ready()) return -1;
    const std::optional<TextPosition> character = layout_.characterAt(point);
    return character ? document_->tokenAt(*character) : -1;
}

int MessageText::selectedToken() const {
    if (!ready()) return -1;
    if (!selection_.empty()) return document_->tokenAt(selection_.range().begin);
    return clicked_ ? document_->tokenAt(*clicked_) : -1;
}

QList<QRectF> MessageText::rectanglesOf(int token) const {
    QList<QRectF> places;
    if (!ready() || token < 0 || static_cast<size_t>(token) >= document_->tokens().size()) return places;
    for (const TextSpan& range : document_->shown(document_->tokens()[static_cast<size_t>(token)]))
        for (const QRectF& place : layout_.rectangles(range)) places.append(place);
    return places;
}

QRectF MessageText::selectedPlace() const {
    QRectF all;
    if (!ready() || selectedRange().empty()) return all;
    const QRectF seen = view();
    for (const QRectF& place : layout_.rectangles(selectedRange(), seen.top(), seen.bottom())) all |= place & seen;
    return all;
}

} // namespace coterie::app
