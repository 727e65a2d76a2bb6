# SPDX-License-Identifier: Apache-2.0
# The bundle for macOS in a disk image, for Intel's processors and Apple's. Sourced by installers/package. Never run: nobody had a Mac (installers/README.md).

# Libraries that vcpkg builds for each processor; Homebrew has them for one only.
macos_libraries=(cli11 md4c nlohmann-json "sqlite3[fts5]" sqlitecpp)

# sign PATH ...: with the identity of the environment, or else only for this Mac: joined programs have lost the linker's own signature, and Apple's
# processors run none without.
sign() {
    local options=(--force --deep --sign "${COTERIE_MAC_IDENTITY:--}")
    [ -z "${COTERIE_MAC_IDENTITY:-}" ] || options+=(--options runtime --timestamp)
    logged package-macos-sign codesign "${options[@]}" "$@"
}

# tree_for ARCHITECTURE: builds and installs for one processor.
tree_for() {
    local triplet=arm64-osx
    [ "$1" = arm64 ] || triplet=x64-osx
    logged "package-macos-$1-vcpkg" "$VCPKG_ROOT/vcpkg" install --classic --triplet "$triplet" "${macos_libraries[@]}"
    build_programs "macos-$1" -DCOTERIE_PACKAGE=macos "-DCMAKE_OSX_ARCHITECTURES=$1" "-DCMAKE_PREFIX_PATH=$qt_folder" "-DCMAKE_INSTALL_RPATH=$qt_folder/lib" \
        "-DCMAKE_TOOLCHAIN_FILE=$VCPKG_ROOT/scripts/buildsystems/vcpkg.cmake" -DVCPKG_MANIFEST_MODE=OFF "-DVCPKG_TARGET_TRIPLET=$triplet"
    rm -rf "build/package-macos-$1/tree"
    logged "package-macos-$1-install" cmake --install "build/package-macos-$1" --prefix "build/package-macos-$1/tree" --strip
}

# Says what is missing before anything is built.
check_macos() {
    [ "$(uname -s)" = Darwin ] || fail "a bundle for macOS can't be made here; lipo, macdeployqt and hdiutil are on macOS only; run this on a Mac"
    [ -x "$qt_folder/bin/macdeployqt" ] || fail "the bundle has no Qt; --qt names none for both processors, and Homebrew's is for one; name an official one, with bin/macdeployqt in it" 2
    [ -x "${VCPKG_ROOT:-}/vcpkg" ] || fail "the bundle's libraries are missing; VCPKG_ROOT names no vcpkg, which builds them for both processors; install vcpkg and name its folder"
}

macos() {
    local image disk=build/package-macos/disk bundle=build/package-macos/disk/Coterie.app
    check_macos
    install_packages package
    set_time_and_version
    image=build/packages/coterie-$version-macos.dmg
    tree_for arm64
    tree_for x86_64
    rm -rf build/package-macos
    mkdir -p "$disk" build/packages
    installers/lib/bundle.py merge build/package-macos-arm64/tree build/package-macos-x86_64/tree "$bundle" --lipo lipo
    logged package-macos-qt "$qt_folder/bin/macdeployqt" "$bundle" -qmldir=ui "-executable=$bundle/Contents/MacOS/coterie-cli"
    installers/lib/bundle.py check "$bundle" --deployed
    sign "$bundle"
    ln -s /Applications "$disk/Applications"
    rm -f "$image"
    logged package-macos-image hdiutil create -volname Coterie -srcfolder "$disk" -format UDZO "$image"
    if [ -n "${COTERIE_NOTARY_PROFILE:-}" ]; then
        logged package-macos-notary xcrun notarytool submit "$image" --wait --keychain-profile "$COTERIE_NOTARY_PROFILE"
        logged package-macos-staple xcrun stapler staple "$image"
    fi
    installers/lib/bill.py "$image" --version "$version" --works cli11 ggml json md4c pdfium qt sqlite sqlitecpp unicode zlib
    check_size "$image" 60
}
