// SPDX-License-Identifier: Apache-2.0
// What a template may use up while it is parsed and rendered, and how the code of this folder fails: it throws Failure,
// which chat_template.cpp alone catches. Nothing of it leaves engine/prompt.
#pragma once

#include "prompt/chat_template.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace coterie::engine::jinja {

/// Why a template could not go on.
struct Failure {
    enum class Kind {
        Syntax,  ///< the template's text is wrong
        Running, ///< an operation of the template failed
        Raised,  ///< the template called raise_exception()
        Limit,   ///< a limit of TemplateLimits is reached
    };
    Kind kind = Kind::Running;
    int line = 0;
    std::string message;
};

/// Counts steps, depth and bytes. Every byte that is copied or compared costs a part of a step, so that the steps bound
/// the time and the memory of a rendering together.
class Meter {
  public:
    explicit Meter(const TemplateLimits& limits) : limits_(limits), stepsLeft_(limits.steps) {}

    void spend(uint64_t steps = 1) {
        if (steps > stepsLeft_) failLimit("more than " + std::to_string(limits_.steps) + " steps");
        stepsLeft_ -= steps;
    }
    void spendBytes(uint64_t bytes) { spend(1 + bytes / kBytesPerStep); }
    /// No text and no list may be larger.
    void checkSize(uint64_t bytes) const {
        if (bytes > limits_.outputBytes)
            failLimit("a text or a list of more than " + std::to_string(limits_.outputBytes) + " bytes");
    }
    /// For a new text or list: within the limit, and paid for.
    void claim(uint64_t bytes) {
        checkSize(bytes);
        spendBytes(bytes);
    }
    void enter() {
        if (depth_ >= limits_.depth) failDepth();
        ++depth_;
    }
    void leave() { --depth_; }
    /// For nesting that is built without recursion.
    void checkDepth(uint32_t depth) const {
        if (depth > limits_.depth) failDepth();
    }

    [[noreturn]] void fail(std::string message, Failure::Kind kind = Failure::Kind::Running) const {
        throw Failure{kind, line, std::move(message)};
    }

    int line = 1; ///< of the template, where things happen now

    // Small enough that all texts and lists of one rendering stay under 80 MB at the default 5,000,000 steps.
    static constexpr uint64_t kBytesPerStep = 16;

  private:
    [[noreturn]] void failLimit(const std::string& what) const { fail(what, Failure::Kind::Limit); }
    [[noreturn]] void failDepth() const { failLimit("nested more than " + std::to_string(limits_.depth) + " deep"); }

    const TemplateLimits limits_;
    uint64_t stepsLeft_;
    uint32_t depth_ = 0;
};

/// One level of nesting, for as long as it lives.
class Deeper {
  public:
    explicit Deeper(Meter& meter) : meter_(meter) { meter_.enter(); }
    ~Deeper() { meter_.leave(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    Meter& meter_;
};

/// A text that grows under the meter's eyes.
class TextBuilder {
  public:
    explicit TextBuilder(Meter& meter) : meter_(meter) {}
    void add(std::string_view piece) {
        meter_.checkSize(text_.size() + piece.size());
        unpaid_ += piece.size();
        meter_.spend(unpaid_ / Meter::kBytesPerStep);
        unpaid_ %= Meter::kBytesPerStep;
        text_.append(piece);
    }
    void add(char c) { add(std::string_view(&c, 1)); }
    std::string take() { return std::move(text_); }
    Meter& meter() { return meter_; }

  private:
    Meter& meter_;
    std::string text_;
    uint64_t unpaid_ = 0; ///< bytes, less than a step's worth
};

} // namespace coterie::engine::jinja
