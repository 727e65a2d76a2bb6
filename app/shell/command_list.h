// SPDX-License-Identifier: Apache-2.0
// Everything that a person can do by key: one list, from which the window makes its shortcuts, the page that lists
// them, menus and tips. A command runs either a function of app/, or, if it concerns the window alone (a focus, a
// page), the signal wanted(). Lives on the GUI thread.
//
//     commands.add({.id = "chat.new", .group = tr("Chats"), .title = tr("New chat"), .keys = {"Ctrl+N"}});
//     commands.run("chat.new");
#pragma once

#include "common/row_list.h"

#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <vector>

namespace coterie::app {

struct Command {
    QString id;                      ///< "chat.new"; never shown
    QString group;                   ///< heading in lists of commands
    QString title;                   ///< "New chat"
    QStringList keys{};              ///< portable texts of QKeySequence; the first one is shown in tips
    bool local = false;              ///< the focused item handles the keys itself: the command is only listed
    std::function<bool()> enabled{}; ///< empty: always
    std::function<void()> run{};     ///< empty: the window runs it, see CommandList::wanted()
    /// The title while it says more, such as what is undone; it, or its answer, is empty: `title`
    std::function<QString()> fullTitle{};
    /// Words that find the command because its page can search for them, by what they find there.
    QStringList found{};
    /// Further words for the page that the command opens. Only commands with such words are found by SettingSearch.
    QString pageWords{};
};

class CommandList : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
  public:
    enum Roles {
        CommandIdRole = Qt::UserRole + 1, ///< commandId
        HeadingRole,                      ///< heading: the group, if the command is the first one of it; else empty
        TitleRole,                        ///< title
        KeysRole,                         ///< keys, as QKeySequence reads them; empty for a local command
        ShownKeysRole,                    ///< shownKeys, as this system writes them
        EnabledRole,                      ///< enabled
    };
    Q_ENUM(Roles)

    using RowList::RowList;

    /// Adds the command. Its id and its keys must not be in the list yet.
    void add(Command command);
    /// Tells views that the answers of `enabled` and `fullTitle` may have changed.
    void refresh();

    /// Runs the command if it is enabled; returns whether it was. Unknown ids are not.
    Q_INVOKABLE bool run(const QString& id);
    /// Returns the command's title; empty for an unknown id.
    Q_INVOKABLE QString title(const QString& id) const;
    /// Returns the text with the command's first key: "Settings (Ctrl+,)". Empty text: the command's title.
    Q_INVOKABLE QString tip(const QString& text, const QString& id) const;

    const std::vector<Command>& all() const { return commands_; }

    int count() const override { return static_cast<int>(commands_.size()); }
    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    /// The window should run this command.
    void wanted(const QString& id);
    /// The command has run.
    void ran(const QString& id);

  private:
    const Command* find(const QString& id) const;

    std::vector<Command> commands_;
};

} // namespace coterie::app
