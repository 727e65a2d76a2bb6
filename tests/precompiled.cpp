// SPDX-License-Identifier: Apache-2.0
// Holds the headers that all tests share, compiled beforehand (CMakeLists.txt names them).
