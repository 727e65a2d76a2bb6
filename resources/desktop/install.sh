#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links this folder's programs into your own folders: a menu entry, "Open with Coterie" for model files, and the commands coterie and coterie-cli.
#
#   ./install.sh             links them; after the folder was moved, run it again
#   ./install.sh --remove    takes the links away; your chats stay
#
# Nothing is copied, and nothing outside your home folder is touched.
set -eu

here=$(cd "$(dirname "$0")" && pwd -P)
data=${XDG_DATA_HOME:-$HOME/.local/share}
commands=$HOME/.local/bin

fail() { printf 'error: %s\n' "$1" >&2; exit 1; }

# link FILE PLACE: puts a link there. It may replace the link of another folder of Coterie, and nothing else.
link() {
    mkdir -p "$(dirname "$2")"
    case $(readlink "$2" 2>/dev/null) in
        '') [ ! -e "$2" ] || fail "$2 is there already, and is no link; move it away and run this again" ;;
        */"${1#"$here"/}") ;;
        *) fail "$2 is there already, and leads to something else; move it away and run this again" ;;
    esac
    ln -sfn "$1" "$2"
}

# unlink_ours FILE PLACE: takes the link away if it leads to that file, or to the place from which this folder was moved.
unlink_ours() {
    case $(readlink "$2" 2>/dev/null) in
        "$1") rm "$2" ;;
        */"${1#"$here"/}") [ -e "$2" ] || rm "$2" ;;
    esac
}

# The links: what is in this folder, and where a desktop looks for it.
each_link() {
    "$1" "$here/bin/coterie" "$commands/coterie"
    "$1" "$here/bin/coterie-cli" "$commands/coterie-cli"
    "$1" "$here/share/mime/packages/coterie.xml" "$data/mime/packages/coterie.xml"
    "$1" "$here/share/icons/hicolor/scalable/apps/coterie.svg" "$data/icons/hicolor/scalable/apps/coterie.svg"
    for name in coterie coterie-cli; do
        "$1" "$here/share/man/man1/$name.1.gz" "$data/man/man1/$name.1.gz"
        "$1" "$here/share/bash-completion/completions/$name" "$data/bash-completion/completions/$name"
        "$1" "$here/share/fish/vendor_completions.d/$name.fish" "$data/fish/vendor_completions.d/$name.fish"
    done
}

# The desktop's tools list programs and file types in files of their own, which desktops read.
refresh() {
    ! command -v update-desktop-database >/dev/null || update-desktop-database "$data/applications" || true
    ! command -v update-mime-database >/dev/null || [ ! -d "$data/mime/packages" ] || update-mime-database "$data/mime" || true
}

# Takes those lists away if they list nothing: they were made for this program.
drop_empty_lists() {
    if rmdir "$data/mime/packages" 2>/dev/null; then
        for name in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version; do rm -f "$data/mime/$name"; done
    fi
    for name in "$data/applications"/*.desktop; do [ ! -e "$name" ] || return 0; done
    rm -f "$data/applications/mimeinfo.cache"
}

entry=$data/applications/coterie.desktop
case ${1:-} in
    '')
        each_link link
        mkdir -p "$data/applications"
        # A menu entry names the program by its place, in quotes: a folder's name may have spaces. TryExec would need it among the commands.
        program=$(printf '%s' "$here/bin/coterie" | sed 's/\\/\\\\\\\\/g; s/["`$]/\\\\&/g; s/%/%%/g') awk '
            /^TryExec=/ { next }
            /^Exec=/ { sub(/^Exec=coterie/, ""); $0 = "Exec=\"" ENVIRON["program"] "\"" $0 }
            { print }' "$here/share/applications/coterie.desktop" >"$entry.new"
        mv "$entry.new" "$entry"
        refresh
        printf 'Coterie is in your menu now, and as the command coterie in %s.\n' "$commands"
        # Many systems add that folder to PATH at the next login, once it is there; others never do.
        case :$PATH: in *":$commands:"*) ;; *) printf 'Your shell does not look there yet: log in again, or add that folder to PATH.\n' ;; esac
        ;;
    --remove)
        each_link unlink_ours
        # The menu entry is that of the folder to which the command leads.
        [ -L "$commands/coterie" ] || [ ! -f "$entry" ] || ! grep -qF 'Exec="' "$entry" || rm "$entry"
        refresh
        drop_empty_lists
        printf 'The links are gone. This folder can be deleted now; your chats stay in %s/Coterie, and packed files, if you made any, in %s/Coterie.\n' \
            "$data" "${XDG_CACHE_HOME:-$HOME/.cache}"
        ;;
    *) fail "install.sh has no option '$1'; it knows --remove" ;;
esac
