// SPDX-License-Identifier: Apache-2.0
// The parts of Qt Test that tests/kernels uses, without Qt: cross builds have no Qt for their target. In place of moc,
// ../CMakeLists.txt writes a struct PlainSlots for each test class, which calls its slots. Tests that need an event
// loop cannot use this.
#pragma once

#include <any>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace plain {

/// The features of QString that messages need: each arg() replaces the lowest of %1 .. %9.
class Text {
  public:
    explicit Text(std::string text) : text_(std::move(text)) {}
    Text arg(const char* value) const {
        for (char digit = '1'; digit <= '9'; ++digit) {
            const size_t at = text_.find({'%', digit});
            if (at != std::string::npos) return Text(std::string(text_).replace(at, 2, value));
        }
        return *this;
    }
    Text arg(long long value, int width = 0, int base = 10) const {
        return arg(formatted(base == 16 ? "%*llx" : "%*lld", width, value).c_str());
    }
    Text arg(long value) const { return arg(static_cast<long long>(value)); }
    Text arg(double value, int width, char, int precision) const {
        return arg(formatted("%*.*g", width, precision, value).c_str());
    }
    const char* chars() const { return text_.c_str(); }

    static std::string formatted(const char* format, ...) {
        char buffer[256];
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(buffer, sizeof buffer, format, arguments);
        va_end(arguments);
        return buffer;
    }

  private:
    std::string text_;
};

struct Row {
    std::string tag;
    std::vector<std::any> values;
};
template <typename T>
Row& operator<<(Row& row, const T& value) {
    row.values.emplace_back(value);
    return row;
}

/// The running test.
struct State {
    std::vector<std::string> columns;
    std::vector<Row> rows;
    const Row* row = nullptr;
    bool failed = false;
};
inline State& state() {
    static State state;
    return state;
}

template <typename T>
T fetch(const char* name) {
    for (size_t i = 0; i < state().columns.size(); ++i)
        if (state().columns[i] == name) return std::any_cast<T>(state().row->values.at(i));
    std::printf("FAIL   no column is called %s\n", name);
    std::abort();
}

inline void fail(const char* what, const char* file, int line) {
    state().failed = true;
    std::printf("       %s\n       %s:%d\n", what, file, line);
}

/// Whether both are equal. As in Qt, floats may differ by 1 in 100,000 (float) or in 10^12 (double).
template <typename A, typename B>
bool same(const A& a, const B& b) {
    if constexpr (std::is_floating_point_v<A>) {
        if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
        if (std::isinf(a) || std::isinf(b)) return a == b;
        constexpr A part = sizeof(A) == sizeof(float) ? A(1e5) : A(1e12);
        return std::abs(a - b) * part <= std::fmin(std::abs(a), std::abs(b));
    } else {
        return a == b;
    }
}

/// Calls slots one after the other, `init` before each, and counts.
class Runner {
  public:
    explicit Runner(std::function<void()> init) : init_(std::move(init)) {}
    template <typename Slot>
    void test(const char* name, Slot slot) {
        test(
            name, [] {}, slot);
    }
    template <typename Data, typename Slot>
    void test(const char* name, Data data, Slot slot) {
        state() = {};
        data();
        const bool alone = state().columns.empty();
        if (alone) state().rows.emplace_back();
        for (const Row& row : state().rows) {
            state().row = &row;
            state().failed = false;
            init_();
            slot();
            std::printf("%s %s(%s)\n", state().failed ? "FAIL  " : "PASS  ", name, row.tag.c_str());
            std::fflush(stdout); // so that a later crash cannot swallow it
            ++(state().failed ? failed_ : passed_);
        }
    }
    /// The exit code.
    int finish() const {
        std::printf("%d passed, %d failed\n", passed_, failed_);
        return passed_ == 0 || failed_ > 0;
    }

  private:
    std::function<void()> init_;
    int passed_ = 0, failed_ = 0;
};

} // namespace plain

namespace QTest {

template <typename T>
void addColumn(const char* name) {
    plain::state().columns.emplace_back(name);
}
inline plain::Row& newRow(const char* tag) { return plain::state().rows.emplace_back(plain::Row{tag, {}}); }
template <typename... Arguments>
plain::Row& addRow(const char* format, Arguments... arguments) {
    return newRow(plain::Text::formatted(format, arguments...).c_str());
}

} // namespace QTest

template <typename... Arguments>
void qWarning(const char* format, Arguments... arguments) {
    std::printf("       %s\n", plain::Text::formatted(format, arguments...).c_str());
}
#if defined(_WIN32)
inline void qputenv(const char* name, const char* value) { _putenv_s(name, value); }
inline void qunsetenv(const char* name) { _putenv_s(name, ""); }
#else
inline void qputenv(const char* name, const char* value) { setenv(name, value, 1); }
inline void qunsetenv(const char* name) { unsetenv(name); }
#endif
inline const char* qPrintable(const plain::Text& text) { return text.chars(); }

class QObject {};

#define Q_SLOTS
#define Q_OBJECT friend struct PlainSlots;
#define Q_DECLARE_METATYPE(...)
#define QStringLiteral(text) plain::Text(text)
#define QFETCH(type, name) const auto name = plain::fetch<type>(#name)
#define QFAIL(message)                                                                                                 \
    do {                                                                                                               \
        plain::fail(message, __FILE__, __LINE__);                                                                      \
        return;                                                                                                        \
    } while (false)
#define QVERIFY2(condition, message)                                                                                   \
    do {                                                                                                               \
        if (!(condition)) QFAIL(message);                                                                              \
    } while (false)
#define QVERIFY(...) QVERIFY2((__VA_ARGS__), #__VA_ARGS__)
#define QCOMPARE(actual, expected) QVERIFY2(plain::same(actual, expected), #actual " is not " #expected)
#define QTEST_APPLESS_MAIN(type)                                                                                       \
    int runSlots();                                                                                                    \
    int main() { return runSlots(); }
