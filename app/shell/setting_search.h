// SPDX-License-Identifier: Apache-2.0
// Which settings a page shows: the usual ones, or all, or those in which the words of a search occur. A search goes
// through titles, explanations and synonyms, and finds the rarer settings too. Lives on the GUI thread.
//
//     SettingSearch { id: search; text: field.text; advanced: settings.allSettings }
//     SettingRow { visible: search.shown.includes("threads") }
#pragma once

#include <QObject>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class SettingSearch : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY changed)
    Q_PROPERTY(bool advanced READ advanced WRITE setAdvanced NOTIFY changed)
    Q_PROPERTY(bool answersOnly READ answersOnly WRITE setAnswersOnly NOTIFY changed)
    Q_PROPERTY(QStringList absent READ absent WRITE setAbsent NOTIFY changed)
    Q_PROPERTY(bool searching READ searching NOTIFY changed)
    Q_PROPERTY(QStringList shown READ shown NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
  public:
    explicit SettingSearch(QObject* parent = nullptr) : QObject(parent) { find(); }

    /// The words; each of them must occur.
    QString text() const { return text_; }
    void setText(const QString& text);
    /// Whether the rarer settings are shown while nothing is searched.
    bool advanced() const { return advanced_; }
    void setAdvanced(bool advanced);
    /// Whether the page has the settings of answers only.
    bool answersOnly() const { return answersOnly_; }
    void setAnswersOnly(bool answersOnly);
    /// Keys that the page can't show now, for example because no file is there.
    const QStringList& absent() const { return absent_; }
    void setAbsent(const QStringList& absent);

    bool searching() const { return !words_.isEmpty(); }
    /// The keys to show, in the order of settingTexts().
    const QStringList& shown() const { return shown_; }
    int count() const { return static_cast<int>(shown_.size()); }

  Q_SIGNALS:
    void changed();

  private:
    void find();

    QString text_;
    QStringList words_, absent_;
    bool advanced_ = false, answersOnly_ = false;
    QStringList shown_;
};

} // namespace coterie::app
