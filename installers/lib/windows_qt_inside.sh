#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The stages of installers/windows-qt, which calls this in its Debian 13: windows_qt_inside.sh STAGE WORK INTO JOBS. Each stage can be done again.
set -euo pipefail

stage=$1 work=$2 into=$3 jobs=$4
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export CCACHE_DIR=$work/ccache CCACHE_BASEDIR=$work

# The compiler for Windows; Qt's own programs for this machine; what generates sources; and what the window's build needs beside them.
packages="g++-mingw-w64-x86-64-posix libz-mingw-w64-dev ccache cmake ninja-build g++ make dpkg-dev xz-utils python3 git tcl librsvg2-bin
 qt6-base-dev qt6-base-dev-tools qt6-declarative-dev qt6-declarative-dev-tools qt6-shadertools-dev qt6-l10n-tools qt6-tools-dev
 nlohmann-json3-dev libcli11-dev fonts-inter fonts-dejavu-core fonts-texgyre-math"
sources="qt6-base qt6-declarative sqlite3 sqlitecpp md4c"

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }

# logged NAME COMMAND ...: runs it with its output in a log, whose end is shown if it fails.
logged() {
    local what=$1 log=$work/$1.log; shift
    "$@" >"$log" 2>&1 || { tail -n 30 "$log"; fail "$what failed; the lines above are the end of $log"; }
}

tools() {
    local list=/etc/apt/sources.list.d/windows-qt.list
    # Debian 12 has the sources of what a mirror may lack for Debian 13.
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$list"
    sed -n 's/^deb \([^ ]*\) trixie /deb-src \1 bookworm /p' /etc/apt/sources.list >>"$list"
    logged tools apt-get update
    # shellcheck disable=SC2086 # the list is words
    logged tools apt-get install -y --no-install-recommends $packages
}

archive_of() { ls "$work/sources/$1"_*.orig.tar.* 2>/dev/null; }

# fetch PACKAGE: its source package. If a mirror lacks the description or Debian's changes, its authors' archive is enough.
fetch() {
    local suite
    for suite in trixie bookworm; do
        apt-get source --download-only "$1/$suite" || true
        [ -z "$(archive_of "$1")" ] || return 0
    done
    return 1
}

sources() {
    local name version
    mkdir -p "$work/sources"
    cd "$work/sources"
    for name in $sources; do
        [ -n "$(archive_of "$name")" ] || logged "source-$name" fetch "$name"
    done
    for name in qt6-base qt6-declarative; do
        # shellcheck disable=SC2016 # dpkg-query expands it
        version=$(dpkg-query -W -f '${source:Upstream-Version}' "$name-dev")
        [ -e "$work/sources/${name}_$version.orig.tar.xz" ] || fail "the source of $name has another version than its programs, $version: $(archive_of "$name")"
    done
}

# unpack_source PACKAGE: with Debian's changes if there are any.
unpack_source() {
    local description folder=$work/$1
    description=$(ls "$work/sources/$1"_*.dsc 2>/dev/null || true)
    rm -rf "$folder"
    if [ -n "$description" ] && dpkg-source -x "$description" "$folder"; then return; fi
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -xf "$(archive_of "$1")" -C "$folder" --strip-components=1
}

# The window never imports these, so they are not configured. Of Qt's experiments its dialogs need the list of folders.
left_out="qmllocalstorage qmlxmllistmodel particles effects quickshapes quickvectorimage quickwidgets quicknativestyle qmlcompiler qmldom plugins imports assets"

unpack() {
    local name file=$work/qt6-declarative/src/CMakeLists.txt
    for name in $sources; do
        [ -e "$work/$name/.unpacked" ] || { logged "unpack-$name" unpack_source "$name"; touch "$work/$name/.unpacked"; }
    done
    for name in $left_out; do sed -i "s/^\( *\)add_subdirectory($name)$/\1# $name is left out/" "$file"; done
    sed -i 's/^add_subdirectory(labs)$/add_subdirectory(labs\/folderlistmodel)/' "$file"
}

# configure NAME OPTION ...: a library for Windows, from $work/NAME in $work/build-NAME.
configure() {
    local name=$1; shift
    logged "configure-$name" cmake -S "$work/$name" -B "$work/build-$name" -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/toolchain-windows-window.cmake" \
        "-DCOTERIE_WINDOWS_QT=$into" "-DCMAKE_INSTALL_PREFIX=$into" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
}

# configure_qt NAME FEATURES OPTION ...: without these features. Many sources are compiled together, so that headers are read less often.
configure_qt() {
    local name=$1 feature features=(); shift
    for feature in $1; do features+=("-DFEATURE_$feature=OFF"); done
    shift
    configure "$name" -DBUILD_SHARED_LIBS=ON -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TOOLS_BY_DEFAULT=OFF -DQT_GENERATE_SBOM=OFF -DQT_UNITY_BUILD=ON \
        -DBUILD_WITH_PCH=OFF "${features[@]}" "$@"
}

# build NAME: builds what is left, and installs it.
build() {
    printf '%s: %s steps are left, on %s processors\n' "$1" "$(ninja -C "$work/build-$1" -n | grep -c '^\[' || true)" "$jobs"
    ninja -C "$work/build-$1" -j "$jobs"
    logged "install-$1" ninja -C "$work/build-$1" install
}

# Debian cuts the headers of wintab out of qtbase, so there are no tablets.
base-configure() {
    configure_qt qt6-base "tabletevent widgets sql dbus xml printsupport testlib concurrent vulkan opengl icu ssl openssl schannel dtls ocsp sspi
        networkdiskcache networklistmanager androiddeployqt windeployqt macdeployqt qmake pdf system_zlib pkg_config zstd brotli
        glib" -DINPUT_opengl=no
}
base-build() { build qt6-base; }

declarative-configure() {
    configure_qt qt6-declarative "qml_debug qml_profiler qml_preview qml_xmllistmodel qml_ssl qml_python quick_designer quick_particles
        quickcontrols2_fusion quickcontrols2_imagine quickcontrols2_material quickcontrols2_universal quickcontrols2_fluentwinui3 quickcontrols2_windows"
    grep -q 'Qt6Quick.dll' "$work/build-qt6-declarative/build.ninja" ||
        fail "Qt Quick is not part of this build; $work/configure-qt6-declarative.log says why"
}
declarative-build() { build qt6-declarative; }

# SQLite in one source, which its own programs write; with what the chats need.
sqlite() {
    local folder=$work/build-sqlite3
    mkdir -p "$folder" "$into/include" "$into/lib"
    cd "$folder"
    [ -e Makefile ] || logged configure-sqlite3 ../sqlite3/configure --disable-tcl --disable-readline
    logged source-of-sqlite3 make sqlite3.c
    x86_64-w64-mingw32-gcc-posix -O2 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_THREADSAFE=1 -c sqlite3.c -o sqlite3.o
    x86_64-w64-mingw32-ar rcs "$into/lib/libsqlite3.a" sqlite3.o
    cp sqlite3.h "$into/include"
}

sqlitecpp() {
    configure sqlitecpp -DSQLITECPP_INTERNAL_SQLITE=OFF -DSQLITECPP_RUN_CPPLINT=OFF -DSQLITECPP_RUN_CPPCHECK=OFF -DSQLITECPP_RUN_DOXYGEN=OFF
    build sqlitecpp
}

md4c() {
    configure md4c -DBUILD_MD2HTML_EXECUTABLE=OFF
    build md4c
}

# The compiler's own libraries, which Qt loads.
runtime() {
    local name
    for name in libstdc++-6.dll libgcc_s_seh-1.dll libwinpthread-1.dll; do
        cp "$(x86_64-w64-mingw32-g++-posix "-print-file-name=$name")" "$into/bin"
    done
}

# This file may change while a stage runs: nothing more of it is read.
run() { "$1"; exit; }
run "$stage"
