// SPDX-License-Identifier: Apache-2.0
// Reads the command line, shows the window and returns the exit code.
#include "main/window_program.h"

#include "cli/console.h"
#include "cli/data_folder.h"
#include "cli/number_option.h"
#include "cli/program_version.h"
#include "common/language.h"
#include "main/data_removal.h"
#include "main/screenshot.h"
#include "models/guide_model.h"
#include "shell/app.h"

#include <QDir>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QNetworkAccessManager>
#include <QQmlApplicationEngine>
#include <QQmlNetworkAccessManagerFactory>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QStandardPaths>

#include <algorithm>
#include <clocale>
#include <optional>

namespace coterie::app {
namespace {

using engine::Error;
using engine::ErrorKind;

constexpr int kDone = 0, kFailed = 1, kBadCall = 2;
constexpr int kHandOverMs = 3000; // the first program may be starting too

struct Call {
    std::string model, dataFolder, screenshot, memory = "auto";
    int threads = 0;
    uint64_t memoryBytes = 0;
    bool deleteAllData = false;
};

/// Coterie opens no socket, so every network request of a QML file fails.
class NoNetwork : public QNetworkAccessManager {
  public:
    using QNetworkAccessManager::QNetworkAccessManager;

  protected:
    QNetworkReply* createRequest(Operation operation, const QNetworkRequest& request, QIODevice* data) override {
        QNetworkRequest nothing(request);
        nothing.setUrl(QUrl(QStringLiteral("data:,")));
        return QNetworkAccessManager::createRequest(operation, nothing, data);
    }
};

class NoNetworkFactory : public QQmlNetworkAccessManagerFactory {
  public:
    QNetworkAccessManager* create(QObject* parent) override { return new NoNetwork(parent); }
};

int fail(const Error& error, int code) {
    writeError("error: " + error.line() + "\n");
    return code;
}

/// Returns the exit code if the call asked for help or is wrong, else nothing.
std::optional<int> readCall(const WindowProgram& program, std::vector<std::string> arguments, Call& call) {
    CLI::App options(program.about, program.name);
    options.set_version_flag("--version", versionLine(program.name));
    options.allow_windows_style_options(false); // "/home/..." is a path on every system
    options.add_option("MODEL", call.model,
                       "A GGUF file to open; without one, the model used last, else the demo model");
    options.add_option("--data-dir", call.dataFolder, "Where chats and settings are kept");
    options.add_option("--memory", call.memory, "Memory that the whole process may hold: 900MiB, 6GiB or auto")
        ->check([&](const std::string& text) { return parseMemory(text, call.memoryBytes); });
    addNumber(options, "--threads", call.threads, 0, 1024, "Threads that compute; 0: automatic");
    options.add_option("--screenshot", call.screenshot, "Save a picture of the window to this file and end");
    options.add_flag("--delete-all-data", call.deleteAllData,
                     "List all chats, settings and other files that Coterie has stored, ask, delete them, and end");
    if (program.addOptions) program.addOptions(options);
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    try {
        options.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return writeOut(options.help()) ? kDone : kFailed;
    } catch (const CLI::CallForVersion& version) {
        return writeOut(std::string(version.what()) + "\n") ? kDone : kFailed;
    } catch (const CLI::ParseError& e) {
        return fail({ErrorKind::BadInput, "The call is wrong", {"%1", e.what()}, {"See %1 --help", program.name}},
                    kBadCall);
    }
    if (call.deleteAllData && !call.model.empty())
        return fail({ErrorKind::BadInput,
                     "The call is wrong",
                     "--delete-all-data takes no model",
                     {"See %1 --help", program.name}},
                    kBadCall);
    return std::nullopt;
}

/// Returns whether there is a display; without one Qt would abort.
bool hasDisplay() {
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
#else
    return true;
#endif
}

QString dataFolder(const Call& call) {
    if (!call.dataFolder.empty()) return QDir(QString::fromStdString(call.dataFolder)).absolutePath();
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

QString packedFolder(const Call& call) {
    return QString::fromStdString(call.dataFolder.empty() ? usualPackedFolder()
                                                          : packedFolderIn(dataFolder(call).toStdString()));
}

int removeData(const Call& call) {
    return deleteAllData({.data = dataFolder(call),
                          .packed = packedFolder(call),
                          .caches = call.dataFolder.empty()
                                        ? QStandardPaths::writableLocation(QStandardPaths::CacheLocation)
                                        : QString()});
}

/// A package for systems without the fonts for which the window is drawn brings them along.
void addFontsBeside(const QString& programFolder) {
    const QDir folder(QDir(programFolder).filePath(QStringLiteral(COTERIE_FONTS_PLACE)));
    const QStringList names = folder.entryList({QStringLiteral("*.otf"), QStringLiteral("*.ttf")}, QDir::Files);
    for (const QString& name : names) QFontDatabase::addApplicationFont(folder.filePath(name));
}

int runQt(const Call& call, AppOptions options, int argc, char** argv) {
    QCoreApplication::setApplicationVersion(QString::fromLatin1(kProgramVersion.version));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Coterie"));
    // A Flatpak's menu entry has the Flatpak's name.
    QGuiApplication::setDesktopFileName(qEnvironmentVariable("FLATPAK_ID", QStringLiteral("coterie")));
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    QGuiApplication qt(argc, argv);
    // Qt has set the C library's locale to the user's. Texts and letters may be so, but numbers keep their point: other
    // libraries in this process (drivers, input methods) may write files, too. QLocale doesn't ask the C library.
    std::setlocale(LC_NUMERIC, "C");
    addFontsBeside(QCoreApplication::applicationDirPath());
    useLanguage(); // before App, which makes some of the texts

    options.dataFolder = dataFolder(call);
    options.packedFolder = packedFolder(call);
    options.model = QString::fromStdString(call.model);
    options.guide = guideBeside(QCoreApplication::applicationDirPath());
    options.version = QString::fromLatin1(kProgramVersion.version);
    options.commit = QString::fromLatin1(kProgramVersion.commit);
    options.package = QString::fromLatin1(kProgramVersion.package);
    options.memory = call.memoryBytes;
    options.threads = call.threads;
    App app(options);
    if (!app.alone() && InstanceChannel::handOver(options.dataFolder, options.model, kHandOverMs)) return kDone;
    qt.installEventFilter(&app);
    app.start(); // before the window, which then shows its first page at once
    NoNetworkFactory noNetwork;
    QQmlApplicationEngine qml;
    qml.setNetworkAccessManagerFactory(&noNetwork);
    qml.addImportPath(QStringLiteral("qrc:/qt/qml"));
    qml.setInitialProperties({{QStringLiteral("app"), QVariant::fromValue(&app)}});
    qml.load(QUrl(QStringLiteral("qrc:/qt/qml/Coterie/Main.qml")));
    if (qml.rootObjects().isEmpty()) {
        return fail({ErrorKind::Internal, "The window can't be made",
                     "Its description could not be loaded, as the lines above say",
                     "Install Coterie again, and report it if it happens again"},
                    kFailed);
    }
    if (!call.screenshot.empty())
        takeScreenshotAndQuit(*qobject_cast<QQuickWindow*>(qml.rootObjects().constFirst()), *app.models(),
                              QString::fromStdString(call.screenshot));
    return QGuiApplication::exec();
}

} // namespace

int runWindow(const WindowProgram& program, int argc, char** argv) {
    const std::vector<std::string> arguments = prepareConsole(argc, argv);
    Call call;
    if (const std::optional<int> code = readCall(program, arguments, call)) return *code;
    QCoreApplication::setApplicationName(QStringLiteral("Coterie")); // the names of the folders follow from it
    if (call.deleteAllData) return removeData(call);
    if (!hasDisplay()) {
        return fail({ErrorKind::Unsupported, "The window can't be opened", "There is no display here",
                     "Start coterie-cli chat instead"},
                    kFailed);
    }
    // The arguments are for this program: Qt gets the program's name only.
    int qtArgc = std::min(argc, 1);
    return runQt(call, program.engine(), qtArgc, argv);
}

} // namespace coterie::app
