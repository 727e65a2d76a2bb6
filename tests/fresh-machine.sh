#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the two commands of README.md on a really bare Debian 12: debootstrap makes one in a folder, the committed checkout is cloned into it,
# and both commands run there in a chroot, with software rendering and no display. Needs root and debootstrap; takes some 50 minutes on two cores.
#
#   tests/fresh-machine.sh [FOLDER]                  FOLDER (default build/fresh-machine) is made anew and removed when all passed
#   COTERIE_SHARED_CCACHE=FOLDER tests/fresh-machine.sh   the bare system also gets ccache with the cache in this folder. An object is taken from
#                                                    there only if every header that it needs is installed, so a missing package is found as before.
#
# Not part of ctest: it installs half a gigabyte of packages. The mirror comes from this machine's own apt settings.
set -euo pipefail

source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$source_folder/build/fresh-machine}
bare=$folder/root

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
step() { printf '\n== %s (%s s so far)\n' "$1" "$SECONDS"; }

[ "$(id -u)" = 0 ] || fail "a chroot needs root; run this with sudo"
command -v debootstrap >/dev/null || fail "debootstrap is not here; it makes the bare system; apt-get install debootstrap"
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | awk '$2 == "bookworm" && $3 == "main" { print $1; exit }')
[ -n "$mirror" ] || fail "apt knows no bookworm repository here; this proof is for Debian 12; run it on one"

unmount() { umount -l "$bare/proc" "$bare/dev/pts" "$bare/dev/shm" "$bare/root/.cache/ccache" 2>/dev/null || true; }
trap unmount EXIT

step "A bare bookworm"
unmount
rm -rf "$folder"
mkdir -p "$folder"
debootstrap --variant=minbase bookworm "$bare" "$mirror" >"$folder/debootstrap.log" 2>&1 || { tail -n 20 "$folder/debootstrap.log"; fail "debootstrap failed; its last lines stand above"; }
cp /etc/resolv.conf "$bare/etc/resolv.conf"
mount -t proc proc "$bare/proc"
mkdir -p "$bare/dev/shm" && mount -t tmpfs tmpfs "$bare/dev/shm"
mkdir -p "$bare/dev/pts" && mount -t devpts -o newinstance,ptmxmode=666 devpts "$bare/dev/pts" # tests open terminals
ln -sf pts/ptmx "$bare/dev/ptmx"
git clone --quiet --no-hardlinks "$source_folder" "$bare/home/coterie"
if [ -n "${COTERIE_SHARED_CCACHE:-}" ]; then
    chroot "$bare" apt-get install -y -qq ccache >"$folder/ccache.log" 2>&1 || fail "ccache can't be installed; $folder/ccache.log says why"
    mkdir -p "$bare/root/.cache/ccache" && mount --bind "$COTERIE_SHARED_CCACHE" "$bare/root/.cache/ccache"
fi
printf 'packages installed before: %s\n' "$(chroot "$bare" dpkg-query -W | wc -l)"

# inside COMMAND: in the bare system, in the checkout, with a clean environment.
inside() { chroot "$bare" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 /bin/bash -euc "cd /home/coterie; $1"; }

step "./installers/dev run --yes (offscreen; the window takes a picture of itself and closes)"
inside 'QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software ./installers/dev run --yes -- --screenshot build/first-start.png'
[ -s "$bare/home/coterie/build/first-start.png" ] || fail "the window left no picture; it did not open"
file -b "$bare/home/coterie/build/first-start.png" 2>/dev/null || ls -l "$bare/home/coterie/build/first-start.png"

step "./installers/dev test --yes"
inside './installers/dev test --yes'

step "./installers/dev run without a display: the demo model answers in the terminal"
inside 'printf "What is an expert cache?\n/quit\n" | ./installers/dev run --yes' | tee "$folder/terminal.log"
grep -q "no display" "$folder/terminal.log" || fail "it did not say that there is no display"
grep -qi "room in memory" "$folder/terminal.log" || fail "the demo model did not say what an expert cache is"

step "The same with a model of one's own, here one that the tests' tool makes"
inside 'build/release/bin/make-test-model build/tiny.gguf && printf "hello\n/quit\n" | ./installers/dev run --yes build/tiny.gguf'

step "Nothing to do: the set-up once more"
inside 'time ./installers/dev setup --yes'

step "All passed"
cp "$bare/home/coterie/build/first-start.png" "$source_folder/build/fresh-machine-first-start.png" 2>/dev/null || true
unmount
rm -rf "$folder"
