# SPDX-License-Identifier: Apache-2.0
# mingw-w64 on Linux: 64-bit Windows programs that carry their runtime with them.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -static-libgcc -static-libstdc++")
include("${CMAKE_CURRENT_LIST_DIR}/cross-headers.cmake")
