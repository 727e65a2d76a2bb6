// SPDX-License-Identifier: Apache-2.0
// Loads a model from bytes in memory and makes a decoder that can run it, for tests of the decoder.
#pragma once

#include "base/files.h"
#include "decoder/cpu_backend.h"
#include "decoder/decoder.h"
#include "support/effort.h"
#include "support/tiny_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coterie::test {

/// One file, called "model", whose bytes are in memory.
class MemoryFiles final : public engine::FileSystem {
  public:
    explicit MemoryFiles(std::string bytes) : bytes_(std::make_shared<const std::string>(std::move(bytes))) {}

    engine::Result<std::unique_ptr<engine::RandomAccessFile>> openForReading(const std::string& path) override {
        return std::unique_ptr<engine::RandomAccessFile>(std::make_unique<File>(bytes_, path));
    }
    engine::Result<std::unique_ptr<engine::OutputFile>> createOutput(const std::string&) override {
        return engine::Error{engine::ErrorKind::Io, "Can't write", "These files are for reading", "Nothing"};
    }

  private:
    class File final : public engine::RandomAccessFile {
      public:
        File(std::shared_ptr<const std::string> bytes, std::string path)
            : bytes_(std::move(bytes)), path_(std::move(path)) {}
        uint64_t size() const override { return bytes_->size(); }
        const std::string& path() const override { return path_; }
        int64_t changedAt() const override { return 0; }
        engine::Status readAt(uint64_t offset, std::span<std::byte> out) override {
            if (offset > bytes_->size() || out.size() > bytes_->size() - offset)
                return engine::Error{
                    engine::ErrorKind::Io, {"Can't read %1", path_}, "The file is too short", "Nothing"};
            std::copy_n(reinterpret_cast<const std::byte*>(bytes_->data()) + offset, out.size(), out.data());
            return {};
        }

      private:
        std::shared_ptr<const std::string> bytes_;
        std::string path_;
    };

    std::shared_ptr<const std::string> bytes_;
};

/// Returns the tables of kernels that run here, the best one first. In a sanitized build only the best and the scalar
/// one: what a sanitizer finds in the others it finds in the tests of the kernels, and a family with each takes hours.
inline std::vector<const engine::KernelTable*> testedKernels() {
    std::vector<const engine::KernelTable*> tables;
    for (const engine::KernelTable* table : engine::kernelTables())
        if (table->runsHere()) tables.push_back(table);
    if (kSanitized) tables.erase(tables.begin() + 1, std::max(tables.begin() + 1, tables.end() - 1));
    return tables;
}

struct LoadOptions {
    const engine::KernelTable* kernels = engine::kernelTables().back(); ///< scalar
    int threads = 2;
    int64_t context = 0;     ///< 0: the context that the model was trained with
    int64_t chunk = 0;       ///< 0: as planned
    int64_t longChunk = 0;   ///< 0: as `chunk`, or as planned
    uint64_t longSlots = 0;  ///< those that lend their memory to it
    uint64_t slots = 0;      ///< 0: as planned
    int64_t cachedRows = -1; ///< below 0: as planned
    engine::TensorType keyValueFormat = engine::TensorType::F16;
    engine::Shortcuts shortcuts{};
    engine::ExpertStoreChoices experts{};
    engine::HeadAgreement headAgreement{};
    engine::StepMeter* steps = nullptr;
    /// Makes the decoder. If it is empty, a decoder on the CPU's backend is made.
    std::function<std::unique_ptr<engine::Decoder>(const engine::BackendOptions&)> decoder{};
};

struct LoadedModel {
    std::unique_ptr<engine::ModelFile> file;
    engine::ModelShape shape;
    engine::MemoryPlan plan;
    std::unique_ptr<engine::Decoder> decoder;
};

/// Takes every step that a session takes: header, shape, plan, prepare, upload.
inline engine::Result<LoadedModel> loadModel(engine::FileSystem& files, const LoadOptions& options = {},
                                             const std::string& path = "model") {
    LoadedModel model;
    auto file = engine::ModelFile::open(files, path);
    if (!file) return file.error();
    model.file = std::move(file).value();
    auto shape = engine::readModelShape(model.file->header(), options.context);
    if (!shape) return shape.error();
    model.shape = std::move(shape).value();
    constexpr uint64_t enough = uint64_t{4} << 30;
    auto plan = engine::planMemory(model.shape, model.file->header(),
                                   {.budget = enough,
                                    .context = options.context,
                                    .threads = options.threads,
                                    .keyValueFormat = options.keyValueFormat});
    if (!plan) return plan.error();
    model.plan = plan.value();
    if (options.chunk != 0) model.plan.chunk = model.plan.longChunk = options.chunk;
    if (options.longChunk != 0) model.plan.longChunk = options.longChunk;
    if (options.longSlots != 0) model.plan.longSlots = options.longSlots;
    if (options.slots != 0) model.plan.slots = options.slots;
    if (options.cachedRows >= 0) model.plan.cachedRows = options.cachedRows;
    const engine::BackendOptions backend{.kernels = *options.kernels,
                                         .threads = options.threads,
                                         .shortcuts = options.shortcuts,
                                         .experts = options.experts,
                                         .headAgreement = options.headAgreement,
                                         .steps = options.steps};
    model.decoder = options.decoder ? options.decoder(backend)
                                    : std::make_unique<engine::Decoder>(engine::createCpuBackend(backend));
    if (engine::Status status = model.decoder->prepare(model.shape, model.plan); !status) return status.error();
    if (engine::Status status = model.decoder->upload(*model.file, {}); !status) return status.error();
    return model;
}

/// Returns the logits of every token. The prompt is given in pieces of these lengths; the last piece goes on to the
/// end.
inline engine::Result<std::vector<std::vector<float>>> logitsOf(engine::Decoder& decoder,
                                                                const std::vector<int32_t>& tokens,
                                                                const std::vector<size_t>& pieces = {},
                                                                engine::TraceSink* trace = nullptr) {
    std::vector<std::vector<float>> all;
    size_t begin = 0;
    for (size_t i = 0; begin < tokens.size(); ++i) {
        const size_t n = i < pieces.size() ? std::min(pieces[i], tokens.size() - begin) : tokens.size() - begin;
        engine::ForwardRequest request;
        request.tokens = std::span(tokens).subspan(begin, n);
        request.wanted = engine::LogitsWanted::All;
        request.trace = trace;
        request.onLogits = [&all](int64_t, std::span<const float> logits) {
            all.emplace_back(logits.begin(), logits.end());
        };
        if (const auto done = decoder.forward(request); !done) return done.error();
        begin += n;
    }
    return all;
}

using Logits = std::vector<std::vector<float>>; ///< [tokens][vocabulary]

/// Returns the value, or ends the program with the error: for calls that must not fail.
template <typename T>
T mustHave(engine::Result<T> result) {
    if (result) return std::move(result).value();
    std::fprintf(stderr, "%s\n", result.error().line().c_str());
    std::abort();
}

inline LoadedModel mustLoad(engine::FileSystem& files, const LoadOptions& options = {}) {
    return mustHave(loadModel(files, options));
}
inline Logits mustRun(engine::Decoder& decoder, const std::vector<int32_t>& tokens,
                      const std::vector<size_t>& pieces = {}) {
    return mustHave(logitsOf(decoder, tokens, pieces));
}

inline bool sameBits(const Logits& a, const Logits& b) {
    const auto same = [](const std::vector<float>& x, const std::vector<float>& y) {
        return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Tokens [begin, end).
inline std::vector<int32_t> part(const std::vector<int32_t>& tokens, size_t begin, size_t end) {
    return {tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// |got - want| / |want| of one position's logits.
inline double relativeError(const std::vector<float>& got, const std::vector<double>& want) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < want.size(); ++i) {
        const double d = static_cast<double>(got[i]) - want[i];
        difference += d * d;
        size += want[i] * want[i];
    }
    return std::sqrt(difference / size);
}

} // namespace coterie::test
