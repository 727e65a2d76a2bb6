// SPDX-License-Identifier: Apache-2.0
// Finds the reference data, for tests that use them if they are there and pass without them.
#pragma once

#include <QString>

namespace coterie::test {

/// The folder with models/, vocab/ and templates/: COTERIE_REFERENCE if it is set, else ../shared/reference beside the
/// checkout. An empty string if the folder does not exist.
QString referenceFolder();

} // namespace coterie::test
