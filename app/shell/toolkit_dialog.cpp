// SPDX-License-Identifier: Apache-2.0
// See toolkit_dialog.h. Qt names the parts of its dialog, and tells nobody of the dialog itself: it is the parent of
// its list.
#include "shell/toolkit_dialog.h"

#include <QAbstractItemModel>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMetaProperty>
#include <QMouseEvent>
#include <QQmlProperty>
#include <QQuickWindow>
#include <QStandardPaths>
#include <QStyleHints>

#include <utility>

namespace coterie::app {
namespace {

QString& lastFolder() {
    static QString folder;
    return folder;
}

template <typename Matches>
QQuickItem* findVisible(QQuickItem* root, const Matches& matches) {
    if (!root->isVisible()) return nullptr;
    if (matches(*root)) return root;
    for (QQuickItem* child : root->childItems())
        if (QQuickItem* found = findVisible(child, matches)) return found;
    return nullptr;
}

QQuickItem* visibleItem(QQuickItem* root, QLatin1String name) {
    return findVisible(root, [name](const QQuickItem& item) { return item.objectName() == name; });
}

/// Gives the path of the folder the ground that fields have. Qt's own is white in every theme.
void colourPath(QQuickItem* root, const QObject& dialog) {
    const QQuickItem* const bar =
        findVisible(root, [](const QQuickItem& item) { return item.inherits("QQuickFolderBreadcrumbBar"); });
    auto* const ground = bar ? bar->property("background").value<QObject*>() : nullptr;
    const auto* const palette = dialog.property("palette").value<QObject*>();
    if (ground && palette) ground->setProperty("color", palette->property("base"));
}

/// Lets each button be destroyed by the item that shows it. In Qt 6.4 the box of buttons first hides that item, and
/// then destroys the button, which becomes visible when it leaves the hidden item: halfway through its destructor. If a
/// screen reader is connected, Qt then asks what is left of the button for its role, and the program crashes.
void keepButtonsWhole(QQuickItem* root) {
    const QQuickItem* const box =
        findVisible(root, [](const QQuickItem& item) { return item.inherits("QQuickDialogButtonBox"); });
    if (!box) return;
    for (QQuickItem* button : box->findChildren<QQuickItem*>(QString(), Qt::FindDirectChildrenOnly))
        if (button->inherits("QQuickAbstractButton") && button->parentItem()) button->setParent(button->parentItem());
}

/// Whether the key types a letter of a name.
bool isLetter(const QKeyEvent& event) {
    constexpr auto commands = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    return !event.modifiers().testAnyFlags(commands) && !event.text().isEmpty() && event.text().front().isPrint();
}

} // namespace

QUrl ToolkitDialog::startFolder() {
    QString folder = lastFolder();
    if (folder.isEmpty() || !QDir(folder).exists())
        folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QUrl::fromLocalFile(QDir(folder).exists() ? folder : QDir::homePath());
}

QUrl ToolkitDialog::startFolderFor(const QUrl& own) {
    const bool same = std::exchange(own_, own) == own;
    const QString folder = same && !ended_.isEmpty() ? ended_ : own.toLocalFile();
    if (own.isEmpty() || folder.isEmpty() || !QDir(folder).exists()) return startFolder();
    return QUrl::fromLocalFile(folder);
}

void ToolkitDialog::keepFolderOf(const QUrl& file) {
    if (file.isLocalFile()) keepFolder(QFileInfo(file.toLocalFile()).absolutePath());
}

void ToolkitDialog::keepFolder(const QString& folder) {
    if (!folder.isEmpty()) lastFolder() = ended_ = folder;
}

void ToolkitDialog::setDialog(QObject* dialog) {
    dialog_ = dialog;
    connect(dialog, SIGNAL(visibleChanged()), this, SLOT(followVisible()));
}

void ToolkitDialog::followVisible() {
    if (window_) disconnect(window_, nullptr, this, nullptr);
    if (popup_) disconnect(popup_, nullptr, this, nullptr);
    if (list_) disconnect(list_, nullptr, this, nullptr);
    if (rows_) disconnect(rows_, nullptr, this, nullptr);
    if (field_) field_->removeEventFilter(this);
    if (window_) window_->removeEventFilter(this);
    window_ = nullptr;
    untouched_ = wholeFolder_ = false;
    endTyping();
    list_ = rows_ = field_ = nullptr;
    if (!shown() && popup_) keepFolder(popup_->property("currentFolder").toUrl().toLocalFile());
    if (!shown()) return;
    popup_ = nullptr; // it stays until now, so that namedFile() knows the folder
    window_ = qobject_cast<QQuickWindow*>(dialog_->property("parentWindow").value<QObject*>());
    if (!window_) return;
    list_ = visibleItem(window_->contentItem(), QLatin1String("fileDialogListView"));
    if (!list_) list_ = visibleItem(window_->contentItem(), QLatin1String("folderDialogListView"));
    if (!list_) return; // the desktop shows a dialog of its own
    popup_ = list_->parent();
    colourPath(window_->contentItem(), *popup_);
    keepButtonsWhole(window_->contentItem());
    fit();
    QMetaObject::invokeMethod(this, &ToolkitDialog::fit, Qt::QueuedConnection); // its parts may have other sizes then
    connect(window_, &QQuickWindow::activeFocusItemChanged, this, &ToolkitDialog::keepFocus, Qt::QueuedConnection);
    window_->installEventFilter(this);
    followRows();
    field_ = visibleItem(window_->contentItem(), QLatin1String("fileNameTextField"));
    if (list_->objectName() == QLatin1String("folderDialogListView")) {
        connect(popup_, SIGNAL(currentFolderChanged(QUrl)), this, SLOT(followFolder()));
        connect(popup_, SIGNAL(selectedFolderChanged(QUrl)), this, SLOT(keepWholeFolder()));
        connect(list_, SIGNAL(currentIndexChanged()), this, SLOT(keepWholeFolder()));
        followFolder();
    }
    if (!field_) return;
    name_ = dialog_->property("selectedFile").toUrl().fileName();
    folder_ = popup_->property("currentFolder").toUrl().toLocalFile();
    untouched_ = true;
    field_->installEventFilter(this);
    connect(popup_, SIGNAL(selectedFileChanged(QUrl)), this, SLOT(followFile()));
    connect(popup_, SIGNAL(currentFolderChanged(QUrl)), this, SLOT(followFile()));
    connect(field_, SIGNAL(textEdited()), this, SLOT(followName()));
    // The list takes the focus while the dialog opens.
    QMetaObject::invokeMethod(this, &ToolkitDialog::begin, Qt::QueuedConnection);
}

/// Follows the rows of the list, which are made while it scrolls and when the folder changes.
void ToolkitDialog::followRows() {
    rows_ = list_->property("contentItem").value<QQuickItem*>();
    if (!rows_) return;
    connect(rows_, &QQuickItem::childrenChanged, this, &ToolkitDialog::spreadDetails, Qt::QueuedConnection);
    connect(list_, &QQuickItem::widthChanged, this, &ToolkitDialog::spreadDetails, Qt::QueuedConnection);
    spreadDetails();
}

/// Gives the size and the date of a file the width of its row. Qt gives them the width of the field of filters, in
/// which the date lies over the size if texts are large.
void ToolkitDialog::spreadDetails() {
    if (!rows_) return;
    const QList<QQuickItem*> rows = rows_->childItems();
    for (QQuickItem* const row : rows) {
        const QQmlProperty width(row, QStringLiteral("fileDetailRowWidth")); // rows of folders have none
        if (width.isValid()) width.write(static_cast<int>(row->width() - row->property("rightPadding").toDouble()));
    }
}

/// Keeps the dialog within the window: its files have less room then.
void ToolkitDialog::fit() {
    if (!shown() || !popup_) return;
    const auto limit = [this](const char* side, const char* implicitSide, int room) {
        const QMetaObject& type = *popup_->metaObject();
        const QMetaProperty size = type.property(type.indexOfProperty(side));
        if (popup_->property(implicitSide).toDouble() > room)
            size.write(popup_, room);
        else
            size.reset(popup_);
    };
    limit("width", "implicitWidth", window_->width());
    limit("height", "implicitHeight", window_->height());
}

/// Gives the focus to the name and selects it without its ending.
void ToolkitDialog::begin() {
    if (!shown() || !field_) return;
    nameAgain();
    field_->forceActiveFocus(Qt::OtherFocusReason);
    QMetaObject::invokeMethod(field_, "select", Q_ARG(int, 0),
                              Q_ARG(int, static_cast<int>(QFileInfo(name_).completeBaseName().size())));
}

void ToolkitDialog::followName() { name_ = field_->property("text").toString(); }

/// A file that is chosen in the list gives its name. Another folder, or a folder in the list, takes none away.
void ToolkitDialog::followFile() {
    const QFileInfo chosen(popup_->property("selectedFile").toUrl().toLocalFile());
    const QString folder = popup_->property("currentFolder").toUrl().toLocalFile();
    if (folder == folder_ && list_ && list_->hasActiveFocus() && chosen.isFile()) name_ = chosen.fileName();
    folder_ = folder;
    QMetaObject::invokeMethod(this, &ToolkitDialog::nameAgain, Qt::QueuedConnection);
}

/// Until a row is chosen, the folder that is shown is the one that Open takes. Qt selects its first row, and once more
/// when it has read the folder.
void ToolkitDialog::followFolder() {
    wholeFolder_ = true;
    QMetaObject::invokeMethod(this, &ToolkitDialog::keepWholeFolder, Qt::QueuedConnection);
}

void ToolkitDialog::keepWholeFolder() {
    if (!shown() || !popup_ || !list_ || !wholeFolder_) return;
    list_->setProperty("currentIndex", -1); // each of the two tells this function only of a change
    popup_->setProperty("selectedFolder", popup_->property("currentFolder"));
}

/// Writes the name into the field, so that Save saves to it.
void ToolkitDialog::nameAgain() {
    if (!shown() || !field_ || name_.isEmpty() || field_->property("text").toString() == name_) return;
    popup_->setProperty("selectedFile", QUrl::fromLocalFile(QDir(folder_).filePath(name_)));
    popup_->setProperty("fileName", name_);
    if (field_->property("text").toString() != name_) field_->setProperty("text", name_);
}

/// The focus stays in the dialog and its popups, whatever gives it away. Until a person does something it stays in the
/// field of the name: the list takes it when it has read the folder.
void ToolkitDialog::keepFocus() {
    if (!shown() || !list_) return;
    const QQuickItem* const focused = window_->activeFocusItem();
    QQuickItem* top = list_; // the layer of all popups
    while (top->parentItem() && top->parentItem() != window_->contentItem()) top = top->parentItem();
    if (field_ && untouched_ && focused != field_) return begin();
    if (!focused || !top->isAncestorOf(focused)) (field_ ? field_ : list_)->forceActiveFocus(Qt::OtherFocusReason);
}

QUrl ToolkitDialog::namedFile() const {
    if (!popup_ || name_.isEmpty()) return {};
    QString path = QDir(folder_).filePath(name_);
    const QString ending = dialog_->property("defaultSuffix").toString();
    if (QFileInfo(path).suffix().isEmpty() && !ending.isEmpty()) path += QLatin1Char('.') + ending;
    return QUrl::fromLocalFile(path);
}

/// Opens the folder that was named, or ends the dialog. Returns false if there is no name.
bool ToolkitDialog::acceptName() {
    if (name_.isEmpty()) return false;
    const QString path = QDir(folder_).filePath(name_);
    if (QFileInfo(path).isDir()) return popup_->setProperty("currentFolder", QUrl::fromLocalFile(path));
    return QMetaObject::invokeMethod(popup_, "accept");
}

/// Returns the first row of the list whose name begins so, or -1 if there is none.
int ToolkitDialog::firstRowWith(const QString& beginning) const {
    const auto* const model = qobject_cast<QAbstractItemModel*>(list_->property("model").value<QObject*>());
    if (!model) return -1;
    const QModelIndexList found = model->match(model->index(0, 0), model->roleNames().key("fileName"), beginning, 1,
                                               Qt::MatchStartsWith); // capital letters or not
    return found.isEmpty() ? -1 : found.front().row();
}

/// Makes the first row that begins with what is typed in the list the current one, which Enter opens. If there is no
/// such row, Enter opens nothing: the row that is current is another one. Returns whether the key was used for that.
bool ToolkitDialog::typeInList(const QKeyEvent& event) {
    const int key = event.key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter, inList = list_ && list_->hasActiveFocus();
    if (enter && missed_ && inList) return true;
    if (enter || key == Qt::Key_Up || key == Qt::Key_Down || !inList) {
        endTyping();
        return false;
    }
    if (!isLetter(event)) return false;
    const bool paused =
        !typing_.isValid() || typing_.hasExpired(QGuiApplication::styleHints()->keyboardInputInterval());
    typing_.start();
    typed_ += event.text();
    int row = firstRowWith(typed_);
    if (row < 0 && paused) { // it begins another name
        typed_ = event.text();
        row = firstRowWith(typed_);
    }
    missed_ = row < 0;
    if (!missed_) list_->setProperty("currentIndex", row);
    return true;
}

/// Whether a person chooses a row with this event of the window: by a press in the list, or by a key that moves in it.
bool ToolkitDialog::choosesRow(const QEvent& event) const {
    if (!list_) return false;
    if (event.type() == QEvent::MouseButtonPress)
        return list_->contains(list_->mapFromScene(static_cast<const QMouseEvent&>(event).scenePosition()));
    if (event.type() != QEvent::KeyPress || !list_->hasActiveFocus()) return false;
    const auto& press = static_cast<const QKeyEvent&>(event);
    const bool moves = press.key() == Qt::Key_Up || press.key() == Qt::Key_Down;
    return moves || isLetter(press);
}

bool ToolkitDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && choosesRow(*event)) wholeFolder_ = false;
    if (watched == window_ && event->type() == QEvent::MouseButtonPress) {
        untouched_ = false;
        endTyping();
    }
    if (event->type() != QEvent::KeyPress) return false;
    if (watched == window_) {
        untouched_ = false;
        return typeInList(*static_cast<QKeyEvent*>(event));
    }
    if (watched != field_) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    return (key == Qt::Key_Return || key == Qt::Key_Enter) && acceptName();
}

} // namespace coterie::app
