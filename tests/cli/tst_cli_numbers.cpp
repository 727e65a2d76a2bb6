// SPDX-License-Identifier: Apache-2.0
// Every option of coterie-cli that takes a number: a value out of its range is an error that names the option, the
// value and the range, before anything else happens. The ranges are written once more here, because scripts rely on
// them.
#include "cli/cli_run.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <set>
#include <vector>

using namespace coterie::test;

namespace {

/// An option with what its range is called, and the values at and just outside its ends.
struct NumberOption {
    const char* name;
    const char* range;
    QStringList outside, atEnds;
};

const QStringList kNoWholeNumber{"two", "0.5", "1e2", "0x10", "7 ", "99999999999999999999999"};
const QStringList kNoNumber{"warm", "nan", "inf", "-inf", "0,5", "0.5x", "1e99"};

NumberOption whole(const char* name, const char* range, const QStringList& outside, const QStringList& atEnds) {
    return {name, range, kNoWholeNumber + outside, atEnds};
}
NumberOption real(const char* name, const char* range, const QStringList& outside, const QStringList& atEnds) {
    return {name, range, kNoNumber + outside, atEnds};
}

const std::vector<NumberOption> kCommon{
    whole("--threads", "a whole number from 1 to 1024", {"0", "-1", "1025"}, {"1", "1024"}),
    whole("--context", "a whole number from 1 to 1073741824", {"0", "-8", "1073741825"}, {"1", "1073741824"}),
};
const std::vector<NumberOption> kRouting{
    real("--prefer-cached", "a number from 0 to 1", {"-0.01", "1.01"}, {"0", "1"}),
    real("--sure", "a number from 0 to 1", {"-0.01", "1.01"}, {"0", "1.0"}),
};
const std::vector<NumberOption> kGenerate{
    real("--temperature", "a number from 0 to 100", {"-1", "100.5"}, {"0", "1e2"}),
    whole("--top-k", "a whole number from 0 to 2147483647", {"-1", "2147483648"}, {"0", "2147483647"}),
    real("--top-p", "a number from 0 to 1", {"-0.1", "1.5"}, {"0", "1"}),
    real("--min-p", "a number from 0 to 1", {"-0.1", "2"}, {"0", "1"}),
    real("--repetition-penalty", "a number from 0.001 to 100", {"0", "101"}, {"0.001", "100"}),
    real("--presence-penalty", "a number from -100 to 100", {"-101", "101"}, {"-100", "100"}),
    real("--frequency-penalty", "a number from -100 to 100", {"-101", "101"}, {"-100", "100"}),
    whole("--penalty-window", "a whole number from 0 to 1048576", {"-1", "1048577"}, {"0", "1048576"}),
    whole("--seed", "a whole number from 0 to 18446744073709551615", {"-1", "18446744073709551616"},
          {"0", "18446744073709551615"}),
    whole("--max-tokens", "a whole number from 0 to 9223372036854775807", {"-1", "9223372036854775808"},
          {"0", "9223372036854775807"}),
};
const std::vector<NumberOption> kBench{
    whole("--prompt-tokens", "a whole number from 1 to 16777216", {"0", "16777217"}, {"1", "16777216"}),
    whole("--generate", "a whole number from 1 to 16777216", {"0", "16777217"}, {"1", "16777216"}),
    whole("--runs", "a whole number from 1 to 1000", {"0", "1001"}, {"1", "1000"}),
    whole("--chunk", "a whole number from 1 to 16777216", {"0", "16777217"}, {"1", "16777216"}),
    whole("--rest", "a whole number from 0 to 3600", {"-1", "3601"}, {"0", "3600"}),
    whole("--read-depth", "a whole number from 1 to 256", {"0", "257"}, {"1", "256"}),
};
const std::vector<NumberOption> kTokens{
    whole("--tokens", "a whole number from 1 to 1048576", {"0", "1048577"}, {"1", "1048576"}),
};
const std::vector<NumberOption> kReplay{
    whole("--slot-bytes", "a whole number from 1 to 1099511627776", {"0", "1099511627777"}, {"1", "1099511627776"}),
    whole("--own-slots", "a whole number from 0 to 1024", {"-1", "1025"}, {"0", "1024"}),
    whole("--own-slot-bytes", "a whole number from 0 to 1099511627776", {"-1", "1099511627777"},
          {"0", "1099511627776"}),
};

struct NumberCommand {
    QStringList call;
    std::vector<const std::vector<NumberOption>*> options;
};

} // namespace

class TestCliNumbers : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::vector<NumberCommand> commands_;

  private Q_SLOTS:
    void initTestCase() {
        const QString gone = folder_.filePath("gone.gguf"); // numbers are looked at before files
        commands_ = {
            {{"info", gone}, {&kCommon}},
            {{"tokenize", gone}, {&kCommon}},
            {{"render", gone, gone}, {&kCommon}},
            {{"logits", gone, "--tokens", gone, "--out", gone}, {&kCommon}},
            {{"generate", gone, "--prompt", "a"}, {&kCommon, &kGenerate, &kRouting}},
            {{"chat", gone}, {&kCommon, &kGenerate, &kRouting}},
            {{"trace", gone, "--prompt", "a", "--out", folder_.filePath("t.csv")}, {&kCommon, &kGenerate, &kRouting}},
            {{"bench", gone}, {&kCommon, &kBench, &kRouting}},
            {{"agreement", gone}, {&kCommon, &kTokens, &kRouting}},
            {{"experts", gone, "--texts", gone, "--out", gone}, {&kCommon, &kTokens}},
            {{"replay", gone}, {&kCommon, &kReplay}},
            {{"pack", gone}, {&kCommon}},
            {{"kernels"}, {&kCommon}},
            {{"devices"}, {&kCommon}},
        };
    }

    /// Options that several commands have are one piece of code: the first command tries all values, the others one.
    void outOfRangeIsNamed() {
        std::set<const std::vector<NumberOption>*> tried;
        for (const NumberCommand& command : commands_)
            for (const std::vector<NumberOption>* options : command.options) {
                const bool all = tried.insert(options).second;
                for (const NumberOption& option : *options)
                    for (const QString& value : all ? option.outside : QStringList{option.outside.back()}) {
                        const Run run = cli(command.call + QStringList{option.name + ("=" + value)});
                        const QByteArray about =
                            command.call[0].toUtf8() + " " + option.name + "=" + value.toUtf8() + " said: " + run.err;
                        QVERIFY2(run.code == 2 && isErrorLine(run.err) && run.out.isEmpty(), about);
                        const QByteArray why =
                            QByteArray(option.name) + ": '" + value.toUtf8() + "' is not " + option.range;
                        QVERIFY2(run.err.contains(why + ";"), about);
                    }
            }
    }

    void endsOfRangesAreAllowed() {
        std::set<const std::vector<NumberOption>*> tried;
        for (const NumberCommand& command : commands_)
            for (const std::vector<NumberOption>* options : command.options)
                for (const NumberOption& option : tried.insert(options).second ? *options : std::vector<NumberOption>())
                    for (const QString& value : option.atEnds) {
                        const Run run = cli(command.call + QStringList{option.name + ("=" + value)});
                        QVERIFY2(!run.err.contains("The call is wrong"), option.name + run.err);
                    }
    }

    /// A number that no table above knows would not be tried.
    void everyNumberIsInATable() {
        static const QRegularExpression kOption(QStringLiteral("(--[a-z-]+) (?:INT|UINT|FLOAT|NUMBER|SHARE)\\b"));
        for (const NumberCommand& command : commands_) {
            const QString help = QString::fromUtf8(cli({command.call[0], "--help"}).out);
            QStringList named;
            for (auto found = kOption.globalMatch(help); found.hasNext();) named.append(found.next().captured(1));
            QVERIFY2(named.size() >= 2, qPrintable(help));
            for (const std::vector<NumberOption>* options : command.options)
                for (const NumberOption& option : *options) named.removeAll(QString(option.name));
            QVERIFY2(named.isEmpty(), qPrintable(command.call[0] + ": " + named.join(' ')));
        }
    }
};

QTEST_GUILESS_MAIN(TestCliNumbers)
#include "tst_cli_numbers.moc"
