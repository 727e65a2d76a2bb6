// SPDX-License-Identifier: Apache-2.0
// Reads a file that a user attaches to a message: text in any of the usual encodings, or the text of a PDF. Nothing is
// run, drawn or fetched. Plain functions; any thread. A large file takes a while.
//
//     const auto file = readAttachedFile(path);
//     if (file) store.draftFiles().add(chat, *file);
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

namespace coterie::app {

/// Longest text of one file, in characters. More would not fit any context.
inline constexpr qsizetype kLongestFileText = 8 << 20;
/// A pasted text with more characters becomes a file: it is some three pages, which nobody reads in the composer.
inline constexpr qsizetype kLongPaste = 8000;

/// Returns the file with its text. Errors say why it has none: it is no text, too long, locked, gone, and so on.
engine::Result<NewFile> readAttachedFile(const QString& path);
/// Returns a pasted text as a file.
NewFile pastedFile(const QString& text, const QString& name);
/// Returns the text of these bytes with "\n" at the end of each line; nothing if they are no text. A mark at their
/// beginning says the encoding; without one it is UTF-8, or else Latin-1.
std::optional<QString> textOfBytes(const QByteArray& bytes);

} // namespace coterie::app
