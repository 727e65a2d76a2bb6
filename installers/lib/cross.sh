# SPDX-License-Identifier: Apache-2.0
# Cross builds: engine and coterie-cli for Windows (mingw-w64, run under wine) and for aarch64 (run under qemu-user). Sourced by installers/dev;
# `verify cross` runs them.

# header_only: nlohmann-json and CLI11 consist of headers; cross compilers must see them, but not the rest of /usr/include.
header_only() {
    local folder=build/cross-include name
    mkdir -p "$folder"
    for name in nlohmann CLI; do
        [ -e "/usr/include/$name" ] || fail "the headers of $name are not in /usr/include; their package installs them there on Debian; install nlohmann-json3-dev and libcli11-dev"
        ln -sfn "/usr/include/$name" "$folder/$name"
    done
}

# wine_runner: prints the path of the 64-bit loader. Debian keeps it outside PATH, and its `wine` script prints warnings about the 32-bit one.
wine_runner() { command -v wine64 || { [ -x /usr/lib/wine/wine64 ] && echo /usr/lib/wine/wine64; } || command -v wine; }

# check_cross PROGRAM OPTIONS: runs the tests of a cross build, and its coterie-cli beside the native one.
check_cross() {
    build release coterie-cli make-test-model
    python3 tests/cross/check_cross.py --native build/release/bin/coterie-cli --make-model build/release/bin/make-test-model "${@:2}" "$1" --reference ../shared/reference
}

cross_windows() {
    header_only
    build cross-windows
    export WINEDEBUG=-all WINEPREFIX="$root/build/wine" WINEARCH=win64 DISPLAY=
    [ -d "$WINEPREFIX/drive_c" ] || { say "Preparing wine's folder (once)"; wineboot -i >build/wine.log 2>&1 || { tail -n 20 build/wine.log; fail "wine could not prepare its folder; its last lines stand above; delete build/wine and try again"; }; }
    check_cross build/cross-windows/bin/coterie-cli.exe --runner "$(wine_runner)"
    python3 -B tests/packages/windows_installer.py --cli build/cross-windows/bin/coterie-cli.exe
}

cross_aarch64() {
    header_only
    build cross-aarch64
    check_cross build/cross-aarch64/bin/coterie-cli \
        --runner "qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu" --lesser-runner "qemu-aarch64 -cpu cortex-a53 -L /usr/aarch64-linux-gnu"
}
