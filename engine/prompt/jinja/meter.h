// SPDX-License-Identifier: Apache-2.0
// Limits what a template uses while it is parsed and rendered, and defines how the code of this folder fails: it throws
// Failure, which only chat_template.cpp catches, so that no exception leaves engine/prompt.
#pragma once

#include "prompt/chat_template.h"
#include "prompt/jinja/sourced_text.h"

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

/// Counts steps, depth and bytes. Each byte that is copied or compared costs a part of a step, so that the steps bound
/// both the time and the memory of a rendering.
class Meter {
  public:
    explicit Meter(const TemplateLimits& limits) : limits_(limits), stepsLeft_(limits.steps) {}

    void spend(uint64_t steps = 1) {
        if (steps > stepsLeft_) failLimit("more than " + std::to_string(limits_.steps) + " steps");
        stepsLeft_ -= steps;
    }
    void spendBytes(uint64_t bytes) { spend(1 + bytes / kBytesPerStep); }
    /// Fails for a text or a list that is too large.
    void checkSize(uint64_t bytes) const {
        if (bytes > limits_.outputBytes)
            failLimit("a text or a list of more than " + std::to_string(limits_.outputBytes) + " bytes");
    }
    /// Pays for a new text or list, and fails if it is too large.
    void claim(uint64_t bytes) {
        checkSize(bytes);
        spendBytes(bytes);
    }
    void enter() {
        if (depth_ >= limits_.depth) failDepth();
        ++depth_;
    }
    void leave() { --depth_; }
    /// Checks nesting that is built without recursion.
    void checkDepth(uint32_t depth) const {
        if (depth > limits_.depth) failDepth();
    }

    [[noreturn]] void fail(std::string message, Failure::Kind kind = Failure::Kind::Running) const {
        throw Failure{kind, line, std::move(message)};
    }

    int line = 1; ///< the line of the template that runs now

    // With 5,000,000 steps, the default, all texts and lists of one rendering stay under 80 MB.
    static constexpr uint64_t kBytesPerStep = 16;

  private:
    [[noreturn]] void failLimit(const std::string& what) const { fail(what, Failure::Kind::Limit); }
    [[noreturn]] void failDepth() const { failLimit("nested more than " + std::to_string(limits_.depth) + " deep"); }

    const TemplateLimits limits_;
    uint64_t stepsLeft_;
    uint32_t depth_ = 0;
};

/// Counts as one level of nesting during its life.
class Deeper {
  public:
    explicit Deeper(Meter& meter) : meter_(meter) { meter_.enter(); }
    ~Deeper() { meter_.leave(); }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    Meter& meter_;
};

/// A growing text that the meter pays for.
class TextBuilder {
  public:
    explicit TextBuilder(Meter& meter) : meter_(meter) {}
    void add(SourcedView piece) {
        meter_.checkSize(text_.size() + piece.size());
        unpaid_ += piece.size();
        meter_.spend(unpaid_ / Meter::kBytesPerStep);
        unpaid_ %= Meter::kBytesPerStep;
        text_.append(piece);
    }
    /// Adds bytes that the template wrote, or that this program writes for it.
    void addOwn(std::string_view piece) { add({piece}); }
    void addOwn(char c) { addOwn(std::string_view(&c, 1)); }
    /// Adds bytes in place of `from`: they are foreign if any byte of it is.
    void addFor(SourcedView from, std::string_view piece) { add(derivedText(from, std::string(piece)).view()); }
    SourcedText take() { return std::move(text_); }
    Meter& meter() { return meter_; }

  private:
    Meter& meter_;
    SourcedText text_;
    uint64_t unpaid_ = 0; ///< bytes that are not paid for yet, less than one step pays for
};

} // namespace coterie::engine::jinja
