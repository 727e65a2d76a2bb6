// SPDX-License-Identifier: Apache-2.0
// Errors that several classes of the store return. Errors of SQLite are in database.h.
#pragma once

#include "base/result.h"

namespace coterie::app {

inline engine::Error noSuchChat(const engine::Sentence& what) {
    return {engine::ErrorKind::NotFound, what, "The chat is not there, or in the bin", "Choose another chat"};
}

inline engine::Error noSuchMessage(const engine::Sentence& what) {
    return {engine::ErrorKind::NotFound, what, "The message is not there, or was deleted", "Choose another message"};
}

inline engine::Error noSuchFolder(const engine::Sentence& what) {
    return {engine::ErrorKind::NotFound, what, "The folder is not there", "Choose another folder"};
}

} // namespace coterie::app
