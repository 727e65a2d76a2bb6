# SPDX-License-Identifier: Apache-2.0
# GCC for 64-bit ARM Linux, from Linux.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
include("${CMAKE_CURRENT_LIST_DIR}/cross-headers.cmake")
