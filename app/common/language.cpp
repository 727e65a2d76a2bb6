// SPDX-License-Identifier: Apache-2.0
// See language.h. The translator belongs to the application object, which outlives all texts.
#include "common/language.h"

#include <QCoreApplication>
#include <QTranslator>

#include <memory>

namespace coterie::app {
namespace {

void install(std::unique_ptr<QTranslator> translator) {
    const QString name = QStringLiteral("coterie.catalogue");
    QCoreApplication* application = QCoreApplication::instance();
    delete application->findChild<QTranslator*>(name, Qt::FindDirectChildrenOnly);
    translator->setObjectName(name);
    translator->setParent(application);
    QCoreApplication::installTranslator(translator.release());
}

} // namespace

bool useLanguage(const QLocale& locale, const QString& folder) {
    auto translator = std::make_unique<QTranslator>();
    if (!translator->load(locale, QStringLiteral("coterie"), QStringLiteral("_"), folder) &&
        !translator->load(QStringLiteral("coterie_en"), folder))
        return false;
    install(std::move(translator));
    return true;
}

bool useCatalogue(const QString& file) {
    auto translator = std::make_unique<QTranslator>();
    if (!translator->load(file)) return false;
    install(std::move(translator));
    return true;
}

} // namespace coterie::app
