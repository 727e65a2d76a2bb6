// SPDX-License-Identifier: Apache-2.0
// Shared by the benchmarks of the window: a program that draws by software and without a screen, its options with
// their default values, waiting, and the line of JSON that it prints.
//
//     const WindowBench bench(argc, argv, {{"rounds", "3"}, {"views", "now,chat"}});
//     measure(bench.list("views"), bench.number("rounds", 1));
#pragma once

#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQuickStyle>
#include <QTextStream>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace coterie::bench {

class WindowBench {
  public:
    /// options: names with their default values.
    WindowBench(int& argc, char** argv, const std::vector<std::pair<const char*, const char*>>& options)
        : application_(prepared(argc), argv) {
        QQuickStyle::setStyle(QStringLiteral("Basic"));
        for (const auto& [name, value] : options)
            parser_.addOption({QString::fromLatin1(name), {}, QStringLiteral("VALUE"), QString::fromLatin1(value)});
        parser_.process(application_);
    }
    QString text(const char* name) const { return parser_.value(QString::fromLatin1(name)); }
    QStringList list(const char* name) const { return text(name).split(u','); }
    int number(const char* name, int least) const { return std::max(least, text(name).toInt()); }

  private:
    static int& prepared(int& argc) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("QT_QUICK_BACKEND", "software");
        return argc;
    }

    QGuiApplication application_;
    QCommandLineParser parser_;
};

inline void print(const QJsonObject& line) {
    QTextStream(stdout) << QJsonDocument(line).toJson(QJsonDocument::Compact) << Qt::endl;
}

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Handles events until the condition is true, which is checked each askMs. Unlike QTest::qWaitFor() it sleeps in the
/// event loop, as the program does, so that BlockClock sees when the thread waits.
inline void waitUntil(const std::function<bool()>& condition, const char* otherwise, int askMs = 20) {
    constexpr int kPatienceMs = 600000;
    QEventLoop loop;
    QElapsedTimer waited;
    waited.start();
    QTimer asked;
    QObject::connect(&asked, &QTimer::timeout, &loop, [&] {
        if (condition()) return loop.quit();
        if (waited.elapsed() > kPatienceMs) qFatal("%s", otherwise);
    });
    asked.start(askMs);
    loop.exec();
}

} // namespace coterie::bench
