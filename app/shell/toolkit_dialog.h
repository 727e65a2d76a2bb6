// SPDX-License-Identifier: Apache-2.0
// Completes the dialog that Qt Quick shows in the window if the desktop has no dialog for files of its own. Qt 6.4's
// dialog gives the focus away to what is behind it, forgets the proposed name when the folder changes, ignores Enter in
// the field of the name and a name that is typed in the list, is larger than a small window if texts are large, writes
// the date of a file over its size then, and, if a screen reader is connected, crashes the program when the window
// ends. Where a folder is asked for, it takes the first one in the folder that a person went to. Does nothing of that
// for a desktop's dialog. Lives on the GUI thread.
//
//     FileDialog { id: root; ToolkitDialog { id: toolkit; dialog: root } }
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QQuickItem>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

class QKeyEvent;
class QQuickWindow;

namespace coterie::app {

class ToolkitDialog : public QObject {
    Q_OBJECT
    QML_ELEMENT
    /// A FileDialog or FolderDialog.
    Q_PROPERTY(QObject* dialog MEMBER dialog_ WRITE setDialog REQUIRED)
  public:
    explicit ToolkitDialog(QObject* parent = nullptr) : QObject(parent) {}

    void setDialog(QObject* dialog);
    /// Returns the folder in which a dialog starts: where the last one of this run ended, else Documents.
    Q_INVOKABLE static QUrl startFolder();
    /// The same for a dialog with a folder of its own, such as that of the last model. If it is the same folder as the
    /// last time, the dialog starts where it ended: its file may have been refused.
    Q_INVOKABLE QUrl startFolderFor(const QUrl& own);
    /// Keeps the folder of this file for the next dialog.
    Q_INVOKABLE void keepFolderOf(const QUrl& file);
    /// Returns the file that was named in the dialog that was open last, or nothing if the desktop showed it.
    Q_INVOKABLE QUrl namedFile() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

  private Q_SLOTS:
    void followVisible();
    void followName();
    void followFile();
    void followFolder();
    void keepWholeFolder();
    void keepFocus();
    void spreadDetails();

  private:
    bool shown() const { return dialog_ && dialog_->property("visible").toBool(); }
    void begin();
    void fit();
    void followRows();
    void nameAgain();
    bool acceptName();
    bool typeInList(const QKeyEvent& event);
    bool choosesRow(const QEvent& event) const;
    void endTyping() {
        typed_.clear();
        missed_ = false;
    }
    int firstRowWith(const QString& beginning) const;
    void keepFolder(const QString& folder);

    QPointer<QObject> dialog_;
    QPointer<QQuickWindow> window_;
    QPointer<QObject> popup_;    ///< Qt Quick's dialog while it is shown, or null
    QPointer<QQuickItem> list_;  ///< files of the folder
    QPointer<QQuickItem> rows_;  ///< the parent of the list's rows
    QPointer<QQuickItem> field_; ///< the name, while one is asked for
    bool wholeFolder_ = false;   ///< a folder is asked for, and no row was chosen since this one is shown
    bool untouched_ = false;     ///< no key and no button was pressed since it opened
    QString name_;               ///< the name that was proposed, typed or chosen
    QString folder_;             ///< the folder for which it was
    QString typed_;              ///< the beginning of a name that was typed in the list
    bool missed_ = false;        ///< no row begins with it
    QElapsedTimer typing_;       ///< since its last letter
    QUrl own_;                   ///< see startFolderFor()
    QString ended_;              ///< the folder where this dialog ended
};

} // namespace coterie::app
