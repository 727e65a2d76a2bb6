// SPDX-License-Identifier: Apache-2.0
// coterie-cli in a terminal: names, answers and errors from foreign files can't steer it, and the program's own marks
// still do. Pipes get the bytes. A pseudo-terminal takes the place of a person's.
#include "cli/cli_run.h"
#include "cli/delta_writer.h"
#include "cli/interrupt.h"
#include "support/tiny_model.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#ifndef Q_OS_WIN
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#endif

#include <string>
#include <thread>

using namespace coterie::test;

namespace {

// Title and clipboard (OSC), erase (CSI), bell, backspace, delete, and CSI as one character of C1 in UTF-8.
const char kHostile[] = "Sea\x1b]0;mine\x07 \x1b]52;c;aGk=\x1b\\wind\x1b[2J\r\b\x7f \xc2\x9b"
                        "31mred \xc3\xa9\tend";
const char kHarmless[] = "Sea]0;mine ]52;c;aGk=\\wind[2J 31mred \xc3\xa9\tend";

/// Written once more, character by character: whether a terminal would obey something in these bytes.
bool steers(QByteArray bytes) {
    bytes.replace("\n", "").replace("\t", "");
    const QList<uint> characters = QString::fromUtf8(bytes).toUcs4();
    return std::any_of(characters.begin(), characters.end(),
                       [](uint c) { return QChar::category(c) == QChar::Other_Control; });
}

#ifndef Q_OS_WIN

/// Runs the program with a terminal for all three channels. Its echo is off and it changes no byte.
Run inTerminal(const QStringList& arguments, const QByteArray& typed) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return {-1, {}, "no pseudo-terminal"};
    const QString name = QString::fromLocal8Bit(::ptsname(master));
    const int held = ::open(::ptsname(master), O_RDWR | O_NOCTTY); // or it would end before the program has it
    termios settings{};
    ::tcgetattr(held, &settings);
    ::cfmakeraw(&settings);
    ::tcsetattr(held, TCSANOW, &settings);
    QProcess process;
    process.setStandardInputFile(name);
    process.setStandardOutputFile(name, QIODevice::Append);
    process.setStandardErrorFile(name, QIODevice::Append);
    process.start(cliProgram(), arguments);
    QByteArray shown;
    const bool started = process.waitForStarted();
    ::close(held);
    std::thread screen([&] {
        char bytes[4096];
        for (ssize_t got; (got = ::read(master, bytes, sizeof bytes)) > 0;) shown.append(bytes, got);
    });
    const bool written = ::write(master, typed.data(), static_cast<size_t>(typed.size())) == typed.size();
    const bool ended = started && written && process.waitForFinished(coterie::kPatienceMs);
    if (!ended) process.kill();
    process.waitForFinished();
    screen.join(); // it ends when nobody has the terminal any more
    ::close(master);
    return {ended ? process.exitCode() : -1, shown, {}};
}

#endif

} // namespace

class TestCliTerminal : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString hostile_;

    QString save(const QString& name, const TinyModelOptions& options) const {
        const QString path = folder_.filePath(name);
        return saveTinyModel(options, path.toStdString()) ? path : QString();
    }

  private Q_SLOTS:
    void initTestCase() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone has pseudo-terminals");
#endif
        TinyModelOptions options;
        options.name = kHostile;
        hostile_ = save("hostile.gguf", options);
        QVERIFY(!hostile_.isEmpty());
    }

#ifndef Q_OS_WIN
    /// A command that makes several calls loses no interrupt that comes between two of them.
    void anInterruptBetweenTwoCallsCancelsTheNext() {
        coterie::app::catchInterrupts();
        std::raise(SIGINT);
        {
            const coterie::app::CancelOnInterrupt next;
            QVERIFY(next.flag()->load());
        }
        coterie::app::forgetInterrupts();
        const coterie::app::CancelOnInterrupt other;
        QVERIFY(!other.flag()->load());
        std::raise(SIGINT);
        QVERIFY(other.flag()->load());
        coterie::app::forgetInterrupts();
    }
    void namesCanNotSteer() {
        const Run info = inTerminal({"info", hostile_}, {});
        QCOMPARE(info.code, 0);
        QVERIFY2(info.out.contains(kHarmless), info.out);
        QVERIFY(!steers(info.out));
        const Run chat = inTerminal({"chat", hostile_, "--max-tokens", "1"}, "/quit\n");
        QCOMPARE(chat.code, 0);
        QVERIFY2(chat.out.contains(kHarmless), chat.out);
        QVERIFY(!steers(chat.out));
    }

    /// A person may read it in a pager. JSON is for programs, and has every character.
    void infoIsCleanInAPipe() {
        const Run text = cli({"info", hostile_});
        QVERIFY2(text.out.contains(kHarmless), text.out);
        QVERIFY(!steers(text.out));
        QCOMPARE(object(cli({"info", hostile_, "--json"}).out)["name"].toString(), QString::fromUtf8(kHostile));
    }

    /// An untrained model draws bytes of all kinds.
    void answersCanNotSteer() {
        const QStringList answer{hostile_, "--temperature", "100", "--top-k",      "0",   "--top-p", "1",    "--min-p",
                                 "0",      "--seed",        "31",  "--max-tokens", "400", "--stop",  "never"};
        const Run piped = cli(QStringList{"generate", "--prompt", "wind"} + answer);
        QCOMPARE(piped.code, 0);
        QVERIFY(steers(piped.out)); // the bytes are there, and a pipe gets them
        const Run shown = inTerminal(QStringList{"generate", "--prompt", "wind"} + answer, {});
        QCOMPARE(shown.code, 0);
        QVERIFY(!steers(shown.out));
        QString kept;
        for (const char32_t c : QString::fromUtf8(piped.out).toUcs4())
            if (c == '\n' || c == '\t' || QChar::category(c) != QChar::Other_Control) kept += QString::fromUcs4(&c, 1);
        QCOMPARE(shown.out, kept.toUtf8()); // nothing else is missing
        const Run chat = inTerminal(QStringList{"chat"} + answer, "wind\n/quit\n");
        QCOMPARE(chat.code, 0);
        QVERIFY(!steers(chat.out));
    }

    void errorsCanNotSteer() {
        const Run error = inTerminal({"info", folder_.filePath(QString::fromUtf8(kHostile))}, {});
        QCOMPARE(error.code, 2);
        QVERIFY2(error.out.startsWith("error: ") && error.out.contains("red \xc3\xa9"), error.out);
        QVERIFY(!steers(error.out));
    }

    /// Thoughts are dimmed until they end, also if the answer ends in one; progress is written over itself.
    void ownMarksStillWork() {
        TinyModelOptions thinking;
        thinking.chatTemplate = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
                                "{% endfor %}<|im_start|>assistant\n<think>\n";
        const QString path = save("thinking.gguf", thinking);
        const QByteArray shown =
            inTerminal({"chat", path, "--temperature", "0", "--max-tokens", "20"}, "wind\n/quit\n").out;
        QCOMPARE(shown.count("\x1b[2m"), 1);
        QCOMPARE(shown.count("\x1b[0m"), 1);
        QVERIFY2(shown.indexOf("\x1b[2m") < shown.indexOf("\x1b[0m"), shown);
        const QString sparse = save("sparse.gguf", {.architecture = "smallthinker"});
        const Run packing = inTerminal({"pack", sparse, "--data-dir", folder_.filePath("data")}, {});
        QCOMPARE(packing.code, 0);
        QVERIFY2(packing.out.contains("\rpacking: ") && packing.out.contains("100 %"), packing.out);
    }

    /// The line about a long prompt is written over itself, and gone before the answer's first word. This process's
    /// stderr becomes a terminal for a while.
    void aLongPromptSaysHowFarItIs() {
        const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
        QVERIFY(master >= 0 && ::grantpt(master) == 0 && ::unlockpt(master) == 0);
        const int slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
        termios settings{};
        ::tcgetattr(slave, &settings);
        ::cfmakeraw(&settings);
        ::tcsetattr(slave, TCSANOW, &settings);
        const int before = ::dup(STDERR_FILENO);
        ::dup2(slave, STDERR_FILENO);
        {
            coterie::app::CancelOnInterrupt calls;
            coterie::app::DeltaWriter writer(calls, false);
            writer({.promptDone = 1, .promptTotal = 3000}); // too early to say
            writer({.promptDone = 50, .promptTotal = 3000, .promptSecondsLeft = 123.4});
            writer({.promptDone = 2000, .promptTotal = 3000, .promptSecondsLeft = 9});
            writer({.promptDone = 3000, .promptTotal = 3000, .promptSecondsLeft = 0});
        }
        ::dup2(before, STDERR_FILENO);
        ::close(before);
        ::close(slave);
        QByteArray shown;
        char bytes[4096];
        // One call gives what has come through so far, which may be a part of what was written.
        for (ssize_t got; (got = ::read(master, bytes, sizeof bytes)) > 0;) shown.append(bytes, got);
        ::close(master);
        const QByteArray first = "Reading the prompt: 50 of 3000 tokens, about 124 s left",
                         second = "Reading the prompt: 2000 of 3000 tokens, about 9 s left";
        QCOMPARE(shown, '\r' + first + '\r' + second + '\r' + QByteArray(second.size(), ' ') + '\r');
    }
#endif
};

QTEST_GUILESS_MAIN(TestCliTerminal)
#include "tst_cli_terminal.moc"
