# SPDX-License-Identifier: Apache-2.0
# Bare Debian systems in folders, made by debootstrap. Sourced by the tests of packages, which set source_folder first.
#
# The bare systems are kept in build/bare and used again: each run works on a copy. The mirror comes from this machine's own apt settings.

work=$source_folder/build/bare
root='' # the copy that is used now
tracer=() # command that runs those inside, if they are traced

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
step() { printf '\n== %s (%s s so far)\n' "$1" "$SECONDS"; }

# need_tools KIND: says what is missing before anything begins.
need_tools() {
    local needed
    [ "$(id -u)" = 0 ] || fail "a chroot needs root; run this with sudo"
    for needed in debootstrap Xvfb unshare strace; do command -v "$needed" >/dev/null || fail "$needed is not here; ./installers/package $1 --test installs it"; done
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | awk '$2 == "bookworm" && $3 == "main" { print $1; exit }')
    [ -n "$mirror" ] || fail "apt knows no bookworm repository here; the bare systems come from its mirror; run this on Debian 12"
}

unmount() { [ -z "$root" ] || awk -v under="$root/" 'index($2, under) == 1 { print $2 }' /proc/mounts | sort -r | while IFS= read -r place; do umount "$(printf '%b' "$place")"; done; }
trap unmount EXIT
remove_copy() { unmount; rm -rf --one-file-system "${root:?}"; } # a folder that is still mounted stays
inside() { "${tracer[@]}" chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
inside_as() { local user=$1; shift; "${tracer[@]}" chroot --userspec="$user:$user" "$root" /usr/bin/env -i "HOME=/home/$user" PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"; }

make_bare() {
    [ ! -e "$work/$1.made" ] || return 0
    rm -rf "${work:?}/$1"
    mkdir -p "$work"
    debootstrap --variant=minbase "$1" "$work/$1" "$mirror" >"$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log"; fail "debootstrap failed; its last lines stand above"; }
    touch "$work/$1.made"
}

# copy_bare SUITE: makes a copy of the bare system, in which `user` can work, and no compiler is.
copy_bare() {
    step "A bare $1"
    make_bare "$1"
    root=$work/try-$1
    remove_copy
    cp -a "$work/$1" "$root"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    mount -t proc proc "$root/proc"
    inside useradd --create-home user
    ! inside sh -c 'command -v cc || command -v g++' || fail "the bare $1 has a compiler"
}

# install_inside LOG WORDS ...: apt-get install in the copy.
install_inside() {
    local log=$1; shift
    inside apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1 || { tail -n 20 "$log"; fail "$* can't be installed"; }
}

# without_sockets LOG COMMAND ...: runs it with its output in the log, and fails if it or a child opens a socket that is not local.
without_sockets() {
    local log=$1 families tracer=(strace -f -qq -e trace=%network -e signal=none -o "$work/trace"); shift
    "$@" >>"$log" 2>&1 || { tail -n 20 "$log"; fail "$* failed"; }
    families=$(grep -oE '\b[AP]F_[A-Z0-9]+' "$work/trace" | sort -u | grep -vxE '[AP]F_(UNIX|LOCAL|UNSPEC)' || true)
    [ -z "$families" ] || fail "$* opened sockets of these kinds: $families"
}

# say_what_stays [FOLDER]: names the files of the user, without those in this folder; of caches, which can be made anew, only where they are.
say_what_stays() {
    (cd "$root/home/user" && find . -path "./${1:-nothing}" -prune -o -type f -print) | sed -E 's|^\.|stays: ~|; s|/(\.cache/[^/]+)/.*|/\1/|' | LC_ALL=C sort -u
}

# use_window PICTURE USER PROGRAM GUIDE: a person's session without a network.
use_window() {
    mkdir -p "$root/tmp/.X11-unix" /tmp/.X11-unix
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    unshare --net python3 -B "$source_folder/tests/packages/window_session.py" --root "$root" --user "$2" --program "$3" --guide "$4" --picture "$1"
    umount "$root/tmp/.X11-unix"
}
