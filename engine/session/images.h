// SPDX-License-Identifier: Apache-2.0
// Whether a language model could see images, which this program can't show it yet. Published models that see have a
// second file, "mmproj", that turns images into input for the first one.
#pragma once

#include "gguf/model_file.h"

namespace coterie::engine {

/// Whether the model's file says that it is half of one that sees, or a file beside it is its other half. False if
/// neither tells; a file that can't be read tells nothing.
bool couldSeeImages(const ModelFile& file);

} // namespace coterie::engine
