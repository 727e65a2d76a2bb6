// SPDX-License-Identifier: Apache-2.0
// Sound model files with one change each, for tests of what a model's metadata and tensors must be. A change gives one
// clear error.
#pragma once

#include "decoder/loaded_model.h"
#include "support/tiny_model.h"

#include <QtTest>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coterie::test {

using engine::ErrorKind;

/// The bytes of a model's file, whose weights no test reads.
inline std::string headerOf(TinyModelOptions options) {
    options.weights = false;
    return makeTinyModel(options).bytes;
}
inline engine::Result<engine::ModelShape> shapeOf(const std::string& bytes, int64_t context = 0) {
    const std::span file(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    const auto header = engine::gguf::parse(file, file.size());
    if (!header) return header.error();
    return engine::readModelShape(header.value(), context);
}

/// A sound file with one change.
struct Edit {
    TinyModelOptions options;
    ErrorKind kind = ErrorKind::BadInput;
    std::string named; // the key or tensor that the error must name
};

/// The model with another value of the key.
inline TinyModelOptions with(TinyModelOptions options, const std::string& key,
                             std::function<void(GgufWriter&, const std::string&)> write) {
    options.skipKey = options.architecture + "." + key;
    options.extraKeys = [write, name = options.skipKey](GgufWriter& w) { write(w, name); };
    return options;
}
inline TinyModelOptions withNumber(const TinyModelOptions& options, const std::string& key, uint64_t value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.u64(name, value); });
}
inline TinyModelOptions withFloat(const TinyModelOptions& options, const std::string& key, float value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.f32(name, value); });
}
inline TinyModelOptions withText(const TinyModelOptions& options, const std::string& key, const std::string& value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.string(name, value); });
}
/// The model with one more key, whose name lacks the architecture.
inline TinyModelOptions plus(TinyModelOptions options, const std::string& key, float value) {
    options.extraKeys = [before = options.extraKeys, name = options.architecture + "." + key, value](GgufWriter& w) {
        if (before) before(w);
        w.f32(name, value);
    };
    return options;
}
inline TinyModelOptions without(TinyModelOptions options, const std::string& tensor) {
    options.skipTensor = tensor;
    return options;
}
/// The model with another shape or format of a tensor, or with one more tensor.
inline TinyModelOptions withTensor(TinyModelOptions options, const std::string& name,
                                   const std::vector<uint64_t>& shape, uint32_t type) {
    options.skipTensor = name;
    uint64_t elements = 1;
    for (const uint64_t size : shape) elements *= size;
    const auto known = engine::typeTraits(type);
    const std::string data(known ? elements / known->blockElements * known->blockBytes : 32, '\0');
    options.extraKeys = [=](GgufWriter& w) { w.tensor(name, shape, type, data); };
    return options;
}

inline void kinds(const char* name, TinyModelOptions options, ErrorKind kind, const char* named) {
    QTest::addRow("%s", name) << Edit{std::move(options), kind, named};
}

/// The file is refused by an error of the edit's kind, which names what was changed.
inline void checkRefused(const Edit& edit) {
    const auto shape = shapeOf(headerOf(edit.options));
    QVERIFY(!shape.ok());
    const engine::Error& error = shape.error();
    QVERIFY2(error.kind == edit.kind, error.line().c_str());
    QVERIFY2(error.line().find(edit.named) != std::string::npos, error.line().c_str());
    QVERIFY2(error.line().find("not a valid GGUF") == std::string::npos,
             error.line().c_str()); // the container is sound
    QVERIFY2(!error.what.empty() && !error.why.empty() && !error.action.empty(), error.line().c_str());
}

} // namespace coterie::test
