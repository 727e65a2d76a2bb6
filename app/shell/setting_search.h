// SPDX-License-Identifier: Apache-2.0
// Which settings a page shows: the usual ones, or all, or those in which the words of a search occur. A search goes
// through titles, explanations and synonyms, and finds the rarer settings and other pages too. What has the words only
// in the middle of its own ("port" in "Export") is found only if nothing else is. Lives on the GUI thread.
//
//     SettingSearch { id: search; commands: app.commands; text: field.text; advanced: settings.allSettings }
//     SettingRow { visible: search.shown.includes("threads") }
#pragma once

#include "shell/command_list.h"

#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class SettingSearch : public QObject {
    Q_OBJECT
    QML_ELEMENT
    /// The words; each of them must occur.
    Q_PROPERTY(QString text MEMBER text_ NOTIFY wishesChanged)
    /// Whether the rarer settings are shown while nothing is searched.
    Q_PROPERTY(bool advanced MEMBER advanced_ NOTIFY wishesChanged)
    /// Whether the page has the settings of answers only.
    Q_PROPERTY(bool answersOnly MEMBER answersOnly_ NOTIFY wishesChanged)
    /// Keys that the page can't show now, for example because no file is there.
    Q_PROPERTY(QStringList absent MEMBER absent_ NOTIFY wishesChanged)
    /// The commands whose pages are found; null: none. They outlive this object.
    Q_PROPERTY(coterie::app::CommandList* commands MEMBER commands_ NOTIFY wishesChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY changed)
    Q_PROPERTY(QStringList shown READ shown NOTIFY changed)
    Q_PROPERTY(QVariantList pages READ pages NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
  public:
    explicit SettingSearch(QObject* parent = nullptr);

    bool searching() const { return !words_.isEmpty(); }
    /// The keys to show, in the order of settingTexts().
    const QStringList& shown() const { return shown_; }
    /// The pages that were found, as {command, title}: the id of the command that opens it, and its title.
    const QVariantList& pages() const { return pages_; }
    /// Number of settings and pages.
    int count() const { return static_cast<int>(shown_.size() + pages_.size()); }
    /// Words that find this setting.
    Q_INVOKABLE static QString wordsFor(const QString& key);

  Q_SIGNALS:
    /// The words or another wish of the page; changed() follows.
    void wishesChanged();
    void changed();

  private:
    /// Whether a text has a word, both without difference of case.
    using Has = bool (*)(const QString& text, const QString& word);

    void find();
    void collect(Has has);

    CommandList* commands_ = nullptr;
    QString text_;
    QStringList words_, absent_;
    bool advanced_ = false, answersOnly_ = false;
    QStringList shown_;
    QVariantList pages_;
};

} // namespace coterie::app
