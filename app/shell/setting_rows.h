// SPDX-License-Identifier: Apache-2.0
// Some settings as rows of a page: what each row shows (setting_texts.h), its value in the scope of an editor, and
// whether a search shows it. The controls hand numbers and texts back as they are shown; they become values here. Lives
// on the GUI thread.
//
//     Repeater { model: SettingRows { editor: editor; search: search; keys: ["topP", "topK"] } }
#pragma once

#include "common/row_list.h"
#include "settings/setting_texts.h"
#include "shell/setting_editor.h"
#include "shell/setting_search.h"

#include <QPointer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class SettingRows : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::SettingEditor* editor READ editor WRITE setEditor NOTIFY changed REQUIRED)
    Q_PROPERTY(coterie::app::SettingSearch* search READ search WRITE setSearch NOTIFY changed REQUIRED)
    Q_PROPERTY(QStringList keys READ keys WRITE setKeys NOTIFY changed REQUIRED)
    Q_PROPERTY(int shownCount READ shownCount NOTIFY changed)
  public:
    enum Roles {
        KeyRole = Qt::UserRole + 1, ///< key
        KindRole,                   ///< kind: "choice", "number", "slider", "longText", "lines"
        TitleRole,                  ///< title
        HintRole,                   ///< hint
        LabelRole,                  ///< label: name of the control for screen readers
        UnitRole,                   ///< unit
        DecimalsRole,               ///< decimals
        LeastRole,                  ///< least: the range of the number
        MostRole,                   ///< most
        StepRole,                   ///< step
        CanBeEmptyRole,             ///< canBeEmpty: an empty field stands for emptyNumber
        EmptyNumberRole,            ///< emptyNumber
        EmptyTextRole,              ///< emptyText
        OptionsRole,                ///< options: [{value, text}]
        NumberRole,                 ///< number: the value as it is shown
        TextRole,                   ///< text: the same of a choice, a long text, or lines
        SetHereRole,                ///< setHere: the scope itself sets the value
        SourceRole,                 ///< source: where else it comes from
        ResetTextRole,              ///< resetText
        ShownRole,                  ///< shown: see SettingSearch
    };
    Q_ENUM(Roles)

    using RowList::RowList;

    SettingEditor* editor() const { return editor_; }
    void setEditor(SettingEditor* editor);
    SettingSearch* search() const { return search_; }
    void setSearch(SettingSearch* search);
    /// Keys of settingTexts(), except special ones.
    const QStringList& keys() const { return keys_; }
    void setKeys(const QStringList& keys);
    int count() const override { return static_cast<int>(keys_.size()); }
    int shownCount() const;

    /// Sets a number as it is shown.
    Q_INVOKABLE void setNumber(const QString& key, double number);
    /// Sets a choice, a text, or lines.
    Q_INVOKABLE void setText(const QString& key, const QString& text);

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    void changed();

  private:
    QVariant describe(const SettingText& text, int role) const;
    QString textOf(const SettingText& text) const;
    QVariantList optionsOf(const SettingText& text) const;
    void refreshValues();
    void refreshShown();

    QPointer<SettingEditor> editor_;
    QPointer<SettingSearch> search_;
    QStringList keys_;
    QList<QVariantList> known_; ///< for each row, what views know of its value
};

} // namespace coterie::app
