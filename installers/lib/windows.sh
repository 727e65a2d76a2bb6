# SPDX-License-Identifier: Apache-2.0
# Packages for Windows. Sourced by installers/package. The installer's script and the resources are ready and tried with coterie-cli alone
# (tests/packages/windows_installer.py); the window itself has never met a compiler for Windows.

windows() {
    local qt=${qt_folder:-build/windows-qt}
    [ -e "$qt/lib/cmake/Qt6/Qt6Config.cmake" ] || fail "a package for Windows can't be made; there is no Qt for Windows in $qt; name one with --qt FOLDER"
    fail "a package for Windows can't be made yet; the window has never been built for Windows; installers/README.md says what is ready"
}
