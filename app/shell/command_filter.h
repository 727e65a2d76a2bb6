// SPDX-License-Identifier: Apache-2.0
// The commands of a CommandList that the command palette offers: those that the window can run, and whose titles
// contain the words that were typed, the likeliest first. Lives on the GUI thread.
#pragma once

#include "shell/command_list.h"

#include <QPointer>
#include <QSortFilterProxyModel>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class CommandFilter : public QSortFilterProxyModel {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::CommandList* commands READ commands WRITE setCommands NOTIFY commandsChanged)
    Q_PROPERTY(QString words READ words WRITE setWords NOTIFY wordsChanged)
  public:
    enum Roles {
        /// search: the words that the command's page should search for; empty if they are words of the command
        SearchRole = Qt::UserRole + 100,
    };
    Q_ENUM(Roles)

    using QSortFilterProxyModel::QSortFilterProxyModel;

    CommandList* commands() const { return commands_; }
    void setCommands(CommandList* commands);
    QString words() const { return words_; }
    /// Each word must occur in the command's title or group, in its Command::pageWords, or in one of Command::found, in
    /// any case and order.
    /// Commands whose title alone has them come first. Empty: all commands, in the order of the list.
    void setWords(const QString& words);

    /// Returns the first row whose command can run now, of those that fit the words as well as the first row does; 0 if
    /// there is none: whoever typed the whole name of a command means no other one.
    Q_INVOKABLE int firstPossible() const;

    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

  Q_SIGNALS:
    void commandsChanged();
    void wordsChanged();

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    int distance(const Command& command) const;
    const Command& commandAt(int row) const { return commands_->all()[static_cast<size_t>(row)]; }

    QPointer<CommandList> commands_;
    QString words_;
};

} // namespace coterie::app
