// SPDX-License-Identifier: Apache-2.0
// A tiny model on disk, opened: what tests of whole sessions start from.
#pragma once

#include "session/session.h"
#include "support/tiny_model.h"

#include <QTemporaryDir>

#include <memory>
#include <string>

namespace coterie::test {

/// A folder of its own, with a space and letters beyond ASCII in every path.
class ModelFolder {
  public:
    std::string path(const std::string& name) const {
        return QString(folder_.path() + "/").toStdString() +
               "m\xC3\xB6"
               "del " +
               name;
    }
    std::string save(const TinyModelOptions& options, const std::string& name = "a.gguf") const {
        return saveTinyModel(options, path(name)) ? path(name) : std::string();
    }
    QString folder() const { return folder_.path(); }

  private:
    QTemporaryDir folder_;
};

/// Null where it did not open; the error is printed.
inline std::unique_ptr<engine::Session> openTiny(const std::string& path, engine::FileSystem* files = nullptr,
                                                 uint64_t memory = 0) {
    engine::OpenOptions options;
    options.path = path;
    options.threads = 2;
    options.files = files;
    options.memory = memory;
    engine::Result<std::unique_ptr<engine::Session>> session = engine::openSession(options);
    if (session) return std::move(session).value();
    qWarning("%s", session.error().line().c_str());
    return nullptr;
}

inline engine::GenerateOptions greedy(int64_t tokens) {
    engine::GenerateOptions options;
    options.sampling.temperature = 0;
    options.maxTokens = tokens;
    options.ignoreEnd = true; // an untrained model ends where it likes
    return options;
}

} // namespace coterie::test
