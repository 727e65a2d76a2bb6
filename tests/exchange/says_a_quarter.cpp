// SPDX-License-Identifier: Apache-2.0
// A library to load into a program: at the program's end it says how the C library writes a number there.
#include <cstdio>

namespace {

struct AtEnd {
    ~AtEnd() { std::fprintf(stderr, "a quarter is %.2f\n", 0.25); }
} atEnd;

} // namespace
