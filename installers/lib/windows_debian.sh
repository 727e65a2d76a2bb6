# SPDX-License-Identifier: Apache-2.0
# The Debian 13 in a folder in which Qt and the window are built for Windows. Sourced by installers/windows-qt, which sets the folders debian, work and into.

need_root() { [ "$(id -u)" = 0 ] || fail "a Debian in a folder needs root; you are not root; run this with sudo"; }

# make_debian: by debootstrap, from the mirror of this machine's own apt settings. What an interrupted call left is made anew; what apt installs comes later.
make_debian() {
    local mirror
    if [ -e "$debian/etc/apt/sources.list" ] && [ ! -e "$debian/debootstrap" ]; then return; fi
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | awk '($2 == "bookworm" || $2 == "trixie") && $3 == "main" { print $1; exit }')
    [ -n "$mirror" ] || fail "apt knows no repository of Debian 12 or 13 here; the Debian for Windows comes from its mirror; run this on one of them"
    say "== debian ($(date +%H:%M))"
    mkdir -p "$work"
    rm -rf --one-file-system "${debian:?}"
    debootstrap --variant=minbase trixie "$debian" "$mirror" >"$work/debian.log" 2>&1 || { tail -n 20 "$work/debian.log"; fail "debootstrap failed; its last lines stand above; mend that and run this again"; }
}

# in_debian COMMAND ...: runs it there, in this checkout, which has the same path inside. The mounts are in a namespace of their own and end with the command.
in_debian() {
    mkdir -p "$work" "$into"
    cp /etc/resolv.conf "$debian/etc/resolv.conf" 2>/dev/null || true
    unshare --mount bash -c '
        set -e
        debian=$1 root=$2
        mount -t proc proc "$debian/proc"
        for place in "$root" "$3" "$4"; do
            mkdir -p "$debian$place"
            mount --bind "$place" "$debian$place"
        done
        shift 4
        exec chroot "$debian" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            sh -c "cd \"\$0\" && exec \"\$@\"" "$root" "$@"
    ' in_debian "$debian" "$root" "$work" "$into" "$@"
}
