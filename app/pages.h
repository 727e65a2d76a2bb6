// SPDX-License-Identifier: Apache-2.0
// The page that the window shows beside the list of chats: the conversation, or a page above it. Lives on the GUI
// thread.
#pragma once

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Pages : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(Page current READ current NOTIFY currentChanged)
  public:
    enum Page { Chat, Settings, Shortcuts, About };
    Q_ENUM(Page)

    using QObject::QObject;

    Page current() const { return current_; }
    Q_INVOKABLE void open(coterie::app::Pages::Page page);
    /// Returns to the conversation.
    Q_INVOKABLE void close() { open(Chat); }

  Q_SIGNALS:
    void currentChanged();

  private:
    Page current_ = Chat;
};

} // namespace coterie::app
