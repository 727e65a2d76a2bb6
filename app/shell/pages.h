// SPDX-License-Identifier: Apache-2.0
// The page that the window shows beside the list of chats: the conversation, or the last one of a stack of pages above
// it. Where there is no room for the list of chats beside the page, it may be open over it, and the command palette may
// be open above them all. Lives on the GUI thread.
//
//     pages.open(Pages::Models);
//     pages.open(Pages::Settings);
//     pages.close(); // Models again
#pragma once

#include <QList>
#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Pages : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(Page current READ current NOTIFY currentChanged)
    Q_PROPERTY(Page below READ below NOTIFY currentChanged)
    Q_PROPERTY(bool chatsOver READ chatsOver WRITE setChatsOver NOTIFY chatsOverChanged)
    Q_PROPERTY(bool palette READ palette WRITE setPalette NOTIFY paletteChanged)
  public:
    enum Page { Chat, Models, Settings, Bin, Exchange, Activity, Shortcuts, About, ChatSettings, Licences };
    Q_ENUM(Page)

    using QObject::QObject;

    Page current() const { return stack_.isEmpty() ? Chat : stack_.last(); }
    /// The page that close() returns to.
    Page below() const { return stack_.size() < 2 ? Chat : stack_[stack_.size() - 2]; }
    /// Whether the page is open: it is shown, or pages above it are.
    Q_INVOKABLE bool holds(coterie::app::Pages::Page page) const { return page == Chat || stack_.contains(page); }
    /// Closes what is open above the pages, and shows the page. If it is in the stack, the pages above it are closed;
    /// for Chat, all pages are. Activity stands above the conversation alone, and the two pages of settings take each
    /// other's place.
    Q_INVOKABLE void open(coterie::app::Pages::Page page);
    /// Returns to the page below.
    Q_INVOKABLE void close() { open(below()); }

    /// Whether the list of chats is open over the page.
    bool chatsOver() const { return chatsOver_; }
    void setChatsOver(bool over);
    /// Whether the command palette is open.
    bool palette() const { return palette_; }
    void setPalette(bool palette);

  Q_SIGNALS:
    void currentChanged();
    void chatsOverChanged();
    void paletteChanged();

  private:
    QList<Page> stack_; ///< without Chat
    bool chatsOver_ = false;
    bool palette_ = false;
};

} // namespace coterie::app
