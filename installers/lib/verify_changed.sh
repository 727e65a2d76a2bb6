# SPDX-License-Identifier: Apache-2.0
# Says which units of verify check the files that changed. Sourced by installers/dev. verify_plan.sh knows the units of a part that is named.

landed=10 # on main, changed looks at so many commits

# base_commit: prints the commit that changed compares with.
base_commit() {
    local name base
    git rev-parse --verify --quiet HEAD >/dev/null || fail "git knows no commit here; changed compares your files with one; name parts, such as asan engine/base, or commit first" 2
    if [ -n "$since" ]; then
        git rev-parse --verify --quiet "$since^{commit}" || fail "git knows no commit '$since'; changed compares your files with it; name another after --since" 2
        return
    fi
    for name in origin/main main; do
        if base=$(git merge-base "$name" HEAD 2>/dev/null); then
            if [ "$base" != "$(git rev-parse HEAD)" ]; then say "$base"; return; fi
            break
        fi
    done
    git rev-list --first-parent -n $((landed + 1)) HEAD | tail -n 1
}

plan_changed() {
    local base files file topic argument
    base=$(base_commit) || exit
    files=$(git diff --name-only --no-renames "$base" && git ls-files --others --exclude-standard) || exit
    say "Compared with $(git log -1 --format='%h (%s)' "$base"): $(grep -c . <<<"$files") files changed." >&2
    while IFS= read -r file; do topics_of "$file" "$base"; done <<<"$files" | sort -u | while read -r topic argument; do
        case $topic in
            area) plan_area "$argument" ;;
            fuzz) if has_word "$(fuzz_names)" "$argument"; then plan_fuzz "$argument"; fi ;;
            *) plan_part "$topic" ;;
        esac
    done || exit
}

# topics_of FILE BASE: prints the parts that check a changed file, and its area. Texts for people need none.
topics_of() {
    local file=$1 first second rest
    IFS=/ read -r first second rest <<<"$file"
    case $file in
        *.md) return ;;
        tests/support/* | tests/fakes/*) say long ;;
        engine/*/* | app/*/* | tests/*/*) say "area $first/$second" ;;
        app/CMakeLists.txt) ;; # each new file changes it, and the file says which area it is
        app/* | gpu/* | ui/*) say "area $first" ;;
        .clang-tidy) say tidy ;;
    esac
    case $file in
        engine/* | app/cli/*) say cross; say reference ;;
        tests/cross/* | tests/kernels/* | cmake/* | CMakeLists.txt | CMakePresets.json | installers/lib/cross.sh) say cross ;;
        installers/windows/* | installers/lib/windows_installer.py | resources/windows/*) say cross ;;
        tests/fuzz/fuzz_*.cpp) rest=${rest#fuzz_}; say "fuzz ${rest%.cpp}" ;;
        tests/fuzz/corpus/*) rest=${rest#corpus/}; say "fuzz ${rest%%/*}" ;;
        tests/fuzz/dictionaries/*.dict) rest=${rest##*/}; say "fuzz ${rest%.dict}" ;;
    esac
    case $file in
        installers/* | cmake/* | CMakeLists.txt | CMakePresets.json | vcpkg.json | tests/fresh-machine.sh) say fresh ;;
        */CMakeLists.txt) if git diff "$2" -- "$file" | grep -qE '^[+-].*\b(find_|pkg_)'; then say fresh; fi ;;
    esac
    case $file in
        installers/package | installers/lib/portable.py | installers/lib/bill.py | installers/deb/* | cmake/CoterieAppStream.cmake | cmake/CoterieInstall.cmake | cmake/CoteriePackages.cmake | resources/desktop/* | resources/licences/* | resources/manual/* | tests/packages/*)
            say packages ;;
    esac
}

# plan_area AREA: prints the units of an area that changed.
plan_area() {
    local area=$1 name=${1##*/} folder target library
    [ -d "$area" ] || return 0
    for folder in $(test_folders long "$area"); do say "long tests/$folder"; done
    [ "$area" != ui ] || return 0 # QML is not compiled
    for folder in $(test_folders asan "$area"); do
        say "asan tests/$folder"
        if has_label "$folder" threads; then say "tsan tests/$folder threads"; fi
    done
    if has_sources "$area"; then say "tidy $area"; fi
    case $area in engine/* | app | app/*) ;; *) return 0 ;; esac
    while read -r target library; do if [ "$library" = "$name" ]; then say "fuzz $target $fuzz_seconds"; fi; done < <(fuzz_targets)
}
