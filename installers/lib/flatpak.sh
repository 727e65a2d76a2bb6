# SPDX-License-Identifier: Apache-2.0
# The manifest of a Flatpak. Sourced by installers/package. Never built: that needs a runtime of 1 GB from the network (installers/README.md).

flatpak() {
    local file
    [ -n "$(git rev-parse HEAD 2>/dev/null)" ] || fail "the manifest can't be made; it names a commit, and these sources are no git checkout; make it in a clone"
    file=$(installers/lib/flatpak.py --commit "$(git rev-parse HEAD)" --out build/packages/flatpak)
    if command -v desktop-file-validate >/dev/null; then desktop-file-validate resources/desktop/coterie.desktop; fi
    say "$file: the manifest alone. Put the sources of its modules beside it, as installers/README.md says, and give it to flatpak-builder."
}
