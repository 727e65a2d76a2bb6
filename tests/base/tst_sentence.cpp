// SPDX-License-Identifier: Apache-2.0
// Sentences with arguments, and errors made of them.
#include "base/result.h"

#include <QtTest>

#include <limits>
#include <type_traits>

using namespace coterie::engine;

// A text that is put together at run time can't be translated: it does not compile as a sentence.
static_assert(!std::is_convertible_v<std::string, Sentence>);
static_assert(!std::is_convertible_v<const char*, Sentence>);
static_assert(std::is_convertible_v<const char (&)[3], Sentence>);

class TestSentence : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void argumentsFillTheirPlaces() {
        const Sentence sentence("%2 comes before %1 in %3", std::string("B"), 7, Sentence("the list of %1", 2.5));
        QCOMPARE(sentence.english(), std::string("7 comes before B in the list of 2.5"));
        QCOMPARE(std::string(sentence.pattern()), std::string("%2 comes before %1 in %3"));
        QCOMPARE(sentence.arguments().size(), size_t{3});
        QCOMPARE(std::get<int64_t>(sentence.arguments()[1].value), int64_t{7});
        QCOMPARE(Sentence("%1", std::numeric_limits<uint64_t>::max()).english(), std::string("18446744073709551615"));
        QVERIFY(Sentence().empty() && Sentence().english().empty());
    }

    /// A path may hold any characters.
    void argumentsAreNotSearchedForPlaces() {
        QCOMPARE(Sentence("%1 and %2", "a%2b", "c").english(), std::string("a%2b and c"));
        QCOMPARE(Sentence("At 20 % of %1, %2", 5).english(), std::string("At 20 % of 5, %2"));
    }

    void sizesAreRoundedUp() {
        const auto text = [](uint64_t bytes) { return Sentence("%1", ByteCount{bytes}).english(); };
        constexpr uint64_t kMiB = 1 << 20, kGiB = 1 << 30;
        QCOMPARE(text(0), std::string("0 MiB"));
        QCOMPARE(text(5 * kMiB), std::string("5 MiB"));
        QCOMPARE(text(5 * kMiB + 1), std::string("6 MiB"));
        QCOMPARE(text(2 * kGiB), std::string("2.00 GiB"));
        QCOMPARE(text(2 * kGiB + 1), std::string("2.01 GiB"));
    }

    void errorIsOneLineOfThreeParts() {
        const Error error{ErrorKind::Io, {"Can't read %1", "/a;b\nc"}, "The disk is gone", "Attach it"};
        QCOMPARE(error.line(), std::string("Can't read /a,b c; The disk is gone; Attach it"));
        QCOMPARE(error.sentence().english(), std::string("Can't read /a;b\nc; The disk is gone; Attach it"));
        const Error shorter{ErrorKind::Io, "It failed", {}, "Try again"};
        QCOMPARE(shorter.line(), std::string("It failed; Try again"));
        QCOMPARE(shorter.sentence().english(), shorter.line());
    }
};

QTEST_GUILESS_MAIN(TestSentence)
#include "tst_sentence.moc"
