// SPDX-License-Identifier: Apache-2.0
// coterie-cli and Vulkan: devices are listed, also where there is no driver; a device writes the words that the CPU
// writes; and a run on the CPU opens no Vulkan library.
#include "cli/cli_run.h"
#include "test_device.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie::test;

namespace {

/// The memory map of coterie-cli while it waits for a question.
QByteArray mapOf(const QStringList& options) {
    QProcess chat;
    chat.start(cliProgram(), QStringList{QStringLiteral("chat"), QStringLiteral(GUIDE)} + options);
    if (!chat.waitForStarted(coterie::kPatienceMs)) return {};
    chat.write("What is an expert?\n");
    // The first words of the answer: the model is open, on the device that computes.
    if (!chat.waitForReadyRead(coterie::kPatienceMs)) return {};
    QFile map(QStringLiteral("/proc/%1/maps").arg(chat.processId()));
    const QByteArray bytes = map.open(QIODevice::ReadOnly) ? map.readAll() : QByteArray();
    chat.closeWriteChannel();
    chat.waitForFinished(coterie::kPatienceMs);
    return bytes;
}

} // namespace

class GpuCliTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }

    void devicesAreListed() {
        const Run list = cli({"devices"});
        QCOMPARE(list.code, 0);
        QVERIFY2(list.out.contains("\nvulkan:0  "), list.out);
        QVERIFY2(!list.out.contains("can't be used"), list.out);
        if (testDevice().isSimulated()) QVERIFY2(list.out.contains("imitated by a driver"), list.out);
        QVERIFY2(list.out.contains("self-test     passed"), list.out);
        QVERIFY2(list.out.count("GB/s of weights for answers") > 20, list.out); // both have them
    }

    /// The software driver is never chosen, and a device that is may compute: in either case the reason is told.
    void theAutomaticChoiceIsTold() {
        const QStringList call{"bench", GUIDE,        "--json", "--device", "auto", "--prompt-tokens",
                               "8",     "--generate", "2",      "--runs",   "1"};
        const Run run = cli(call);
        QVERIFY2(run.code == 0, run.err);
        const QJsonObject report = object(run.out);
        const QString why = report["device_why"].toString();
        if (testDevice().isSimulated()) {
            QCOMPARE(report["device"].toString(), QStringLiteral("cpu"));
            QVERIFY2(why.contains("A driver imitates it"), qPrintable(why));
        }
        QVERIFY(!why.isEmpty());
        QVERIFY(cli({"info", GUIDE, "--device", "auto"}).out.contains("computes this model"));
    }

    void aMachineWithoutDriversSaysSo() {
        const Run list = cli({"devices"}, {}, {"VK_ICD_FILENAMES=/nowhere.json", "VK_DRIVER_FILES=/nowhere.json"});
        QCOMPARE(list.code, 0);
        QCOMPARE(list.out.count("can't be used: No driver"), 1);
        QCOMPARE(list.out.count('\n'), 2); // the CPU, and that line
        const Run refused = cli({"generate", GUIDE, "--prompt", "What is an expert?", "--device", "vulkan"}, {},
                                {"VK_ICD_FILENAMES=/nowhere.json", "VK_DRIVER_FILES=/nowhere.json"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(isErrorLine(refused.err), refused.err);
    }

    /// The loader finds a driver's description, and no driver where that says.
    void aDriverThatDoesNotLoadIsNone() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("gone.json"));
        QFile description(path);
        QVERIFY(description.open(QIODevice::WriteOnly));
        description.write(R"({"file_format_version": "1.0.0", "ICD": {"library_path": "/nowhere/libgone.so",
                              "api_version": "1.2.0"}})");
        description.close();
        const Run list = cli({"devices"}, {}, {"VK_ICD_FILENAMES=" + path, "VK_DRIVER_FILES=" + path});
        QCOMPARE(list.code, 0);
        QCOMPARE(list.out.count("can't be used: No driver"), 1);
    }

    void theWordsAreThoseOfTheCpu() {
        const auto words = [](const char* device) {
            return cli({"generate", GUIDE, "--prompt", "What is an expert cache?", "--temperature", "0", "--max-tokens",
                        "24", "--device", device});
        };
        const Run cpu = words("cpu"), vulkan = words("vulkan:0");
        QCOMPARE(vulkan.code, 0);
        QVERIFY(cpu.out.size() > 40);
        QCOMPARE(vulkan.out, cpu.out);
    }

    void theCpuOpensNoVulkan() {
#ifndef __linux__
        QSKIP("Only Linux shows a process's memory map as a file");
#endif
        for (const QStringList& options : {QStringList{}, {"--device", "cpu"}}) {
            const QByteArray map = mapOf(options);
            QVERIFY(map.contains("coterie-cli"));
            QVERIFY2(!map.contains("vulkan"), options.join(' ').toUtf8());
        }
        QVERIFY(mapOf({"--device", "vulkan"}).contains("libvulkan"));
    }

    /// Programs that end too soon for a look at their memory: the system's loader lists the libraries that it looks
    /// for.
    void figuresOfTheCpuOpenNoVulkan() {
#ifndef __GLIBC__
        QSKIP("Only glibc's loader lists them");
#endif
        const auto libraries = [](const QStringList& arguments) {
            const Run run = cli(arguments, {},
                                {"LD_DEBUG=libs", "VK_ICD_FILENAMES=/nowhere.json", "VK_DRIVER_FILES=/nowhere.json"});
            return run.code == 0 ? run.err : QByteArray();
        };
        for (const QStringList& call :
             {QStringList{"info", GUIDE}, QStringList{"bench", GUIDE, "--device", "cpu", "--prompt-tokens", "8",
                                                      "--generate", "2", "--runs", "1"}}) {
            const QByteArray named = libraries(call);
            QVERIFY(named.contains("libc.so"));
            QVERIFY2(!named.contains("libvulkan"), qPrintable(call.first()));
        }
        QVERIFY(libraries({"devices"}).contains("libvulkan"));
        QVERIFY(libraries({"info", GUIDE, "--device", "auto"}).contains("libvulkan")); // it looks for devices
    }
};

QTEST_GUILESS_MAIN(GpuCliTest)
#include "tst_gpu_cli.moc"
