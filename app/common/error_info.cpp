// SPDX-License-Identifier: Apache-2.0
// Translates the engine's sentences into the user's language.
#include "common/error_info.h"

#include "common/isolated_name.h"
#include "common/units.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <type_traits>

namespace coterie::app {

namespace {

/// sizeText() shows one digit of a GiB. A size is rounded up to it, so that "at least" is never too little.
double roundedUp(uint64_t bytes) {
    constexpr double kStep = 1024.0 * 1024 * 1024 / 10;
    const auto size = static_cast<double>(bytes);
    return size < 10 * kStep ? size : std::ceil(size / kStep) * kStep;
}

std::string argumentText(const engine::SentenceArgument& argument) {
    return std::visit(
        [](const auto& value) -> std::string {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>)
                return isolatedName(QString::fromStdString(value)).toStdString();
            else if constexpr (std::is_same_v<T, engine::ByteCount>)
                return sizeText(roundedUp(value.bytes)).toStdString();
            else if constexpr (std::is_same_v<T, engine::Sentence>)
                return shownText(value).toStdString();
            else if constexpr (std::is_same_v<T, double>)
                return QLocale().toString(value, 'g', 6).toStdString();
            else
                return QLocale()
                    .toString(static_cast<std::conditional_t<std::is_signed_v<T>, qlonglong, qulonglong>>(value))
                    .toStdString();
        },
        argument.value);
}

} // namespace

QString shownText(const engine::Sentence& sentence) {
    std::vector<std::string> arguments;
    arguments.reserve(sentence.arguments().size());
    for (const engine::SentenceArgument& argument : sentence.arguments()) arguments.push_back(argumentText(argument));
    // The pattern is a string literal, so it ends with a zero.
    const QString pattern = QCoreApplication::translate("Engine", sentence.pattern().data());
    return QString::fromStdString(engine::fillPattern(pattern.toStdString(), arguments));
}

ErrorInfo::ErrorInfo(const engine::Error& error)
    : ErrorInfo(shownText(error.what), shownText(error.why), shownText(error.action)) {}

ErrorInfo noFileNamed(const QUrl& file, const QString& what) {
    if (file.isLocalFile() && !file.fileName().isEmpty()) return {};
    return {what, QCoreApplication::translate("ErrorInfo", "No file was named"),
            QCoreApplication::translate("ErrorInfo", "Save again, and give the file a name")};
}

} // namespace coterie::app
