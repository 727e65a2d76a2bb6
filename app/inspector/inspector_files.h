// SPDX-License-Identifier: Apache-2.0
// Saves and copies what the inspector shows: the record as coterie-cli writes a trace, the grid, the tokens and the
// charts as pictures to be shared, a summary as text. Lives on the GUI thread.
#pragma once

#include "common/error_info.h"
#include "inspector/share_picture.h"

#include <QObject>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Inspector;
struct InspectorParts;

class InspectorFiles : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    /// The letters of pictures; empty: the program's own.
    Q_PROPERTY(QString family MEMBER family_ NOTIFY familyChanged)
  public:
    /// Both outlive this object.
    InspectorFiles(Inspector& inspector, const InspectorParts& parts, QObject* parent = nullptr);

    /// Writes the shown record as `coterie-cli trace` does. Each returns an error with valid == false if it succeeded.
    Q_INVOKABLE coterie::app::ErrorInfo exportCsv(const QUrl& file) const;
    Q_INVOKABLE coterie::app::ErrorInfo exportJson(const QUrl& file) const;
    /// Saves a picture of the grid as it is shown, that says whose it is.
    Q_INVOKABLE coterie::app::ErrorInfo exportPng(const QUrl& file) const;
    /// Saves such a picture of the figures and charts.
    Q_INVOKABLE coterie::app::ErrorInfo exportCharts(const QUrl& file) const;
    /// Saves such a picture of the answer's tokens in their colours; with a selected expert also of its question's.
    Q_INVOKABLE coterie::app::ErrorInfo exportTokens(const QUrl& file) const;
    /// The content of these pictures.
    SharedPage sharedGrid() const;
    SharedPage sharedCharts() const;
    SharedPage sharedTokens() const;
    /// A name for a file of the shown answer: that of its chat. kind: "grid", "tokens", "charts", "csv" or "json"; all
    /// pictures can stand in one folder.
    Q_INVOKABLE QString suggestedName(const QString& kind) const;
    Q_INVOKABLE bool fileExists(const QUrl& file) const;
    /// Says that a saved record lacks words of the prompt, and why; empty if it has them.
    Q_INVOKABLE QString promptRemark() const;
    QString summary() const; ///< sentences and figures as plain text
    Q_INVOKABLE void copySummary() const;

  Q_SIGNALS:
    void familyChanged();

  private:
    ErrorInfo writeTrace(const QUrl& file, bool csv) const;
    SharedPage sharedPage() const;
    ErrorInfo nothingToSave() const;

    Inspector& inspector_;
    const InspectorParts& parts_;
    QString family_;
};

} // namespace coterie::app
