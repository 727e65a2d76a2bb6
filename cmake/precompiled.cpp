// SPDX-License-Identifier: Apache-2.0
// The source that coterie_precompiled() compiles its headers with.
