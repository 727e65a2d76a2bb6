# SPDX-License-Identifier: Apache-2.0
# mingw-w64 on Linux with the libraries of installers/windows-qt, which builds these with this file, too. The compiler's own libraries are shared, since Qt
# loads them.
include("${CMAKE_CURRENT_LIST_DIR}/toolchain-windows.cmake")
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_EXE_LINKER_FLAGS_INIT "")
set(COTERIE_WINDOWS_QT "${CMAKE_CURRENT_LIST_DIR}/../build/windows-qt" CACHE PATH "Folder with Qt and other libraries for Windows")
get_filename_component(COTERIE_WINDOWS_QT "${COTERIE_WINDOWS_QT}" ABSOLUTE)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES COTERIE_WINDOWS_QT)
set(CMAKE_FIND_ROOT_PATH "${COTERIE_WINDOWS_QT}" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ZLIB_USE_STATIC_LIBS ON)
# A Qt of the same version, whose programs run here.
set(QT_HOST_PATH /usr CACHE PATH "Qt whose programs run here")
set(QT_HOST_PATH_CMAKE_DIR "/usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake" CACHE PATH "Its CMake packages")
