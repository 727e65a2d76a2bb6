# SPDX-License-Identifier: Apache-2.0
# Turns the words of a verify call into units, one on each line: a part and its arguments, as verify_parts.sh runs it. Sourced by installers/dev.
# verify_changed.sh does the same for files that changed. Nothing in either builds or runs anything.

parts="tests long reference tidy asan tsan fuzz cross fresh packages" # in the order in which they run
fuzz_seconds=180
without_tests="cross fakes support" # folders of tests/ whose CMakeLists.txt adds no tests to an ordinary build
not_sanitized="guide house memory packages" # folders of tests/ that add none to a sanitized build either
reference_check=../shared/reference/check.py

# has_word LIST WORD: whether the word is in the list, whose words are separated by spaces.
has_word() { case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac; }

# plan WORD ...: prints the units of all parts in the order of parts, each once. A unit that another one contains is left out: "tidy app" contains
# "tidy app/text", and "long" contains "long tests/base".
plan() {
    plan_words "$@" | awk -v order="$parts" '
        BEGIN { split(order, names, " "); for (i in names) rank[names[i]] = i }
        !($0 in planned) { planned[$0]; units[++count] = $0 }
        END {
            for (i = 1; i <= count; i++) {
                split(units[i], words, " "); larger = units[i]; inside = 0
                while (!inside && sub("[/ ][^/ ]*$", "", larger)) inside = larger in planned
                if (!inside) print rank[words[1]] "\t" units[i]
            }
        }' | sort -s -k 1,1n | cut -f 2-
}

plan_words() {
    local word part='' arguments=()
    for word in "$@"; do
        if has_word "$parts changed all" "$word"; then
            [ -z "$part" ] || plan_part "$part" "${arguments[@]}"
            part=$word arguments=()
        else
            [ -n "$part" ] || fail "'$word' is not a part of verify; the parts are $parts, and changed and all; ./installers/dev verify --help explains them" 2
            arguments+=("${word%/}")
        fi
    done
    plan_part "$part" "${arguments[@]}"
}

# plan_part PART [ARGUMENT ...]: prints the units of one part.
plan_part() {
    local part=$1; shift
    case $part in
        tests | long) if [ $# = 0 ]; then say "$part"; else plan_tests "$part" '' "$@"; fi ;;
        asan) if [ $# = 0 ]; then plan_tests asan '' engine app; else plan_tests asan '' "$@"; fi ;;
        tsan) plan_tsan "$@" ;;
        tidy) plan_tidy "$@" ;;
        fuzz) plan_fuzz "$@" ;;
        cross) plan_cross "$@" ;;
        *)
            [ $# = 0 ] || fail "'$1' can't follow $part; $part takes no arguments; ./installers/dev verify --help lists the parts" 2
            case $part in
                fresh | packages) say "$part" ;;
                reference) plan_reference ;;
                changed) plan_changed ;;
                all) plan_all ;;
            esac ;;
    esac
}

# plan_tests PART LABEL AREA ...: prints a unit for each folder of tests; a LABEL leaves out the folders without it.
plan_tests() {
    local part=$1 label=$2 area folders folder; shift 2
    for area in "$@"; do
        [ -d "$area" ] || fail "there is no folder '$area'; $part takes folders of the source; name one such as engine/experts, app/store or tests/decoder" 2
        folders=$(test_folders "$part" "$area")
        [ -z "$label" ] || folders=$(for folder in $folders; do if has_label "$folder" "$label"; then say "$folder"; fi; done)
        [ -n "$folders" ] || fail "$part has nothing to run for $area; no folder of tests/ mirrors it${label:+ with tests that have the label $label}; name another folder" 2
        for folder in $folders; do say "$part tests/$folder${label:+ $label}"; done
    done
}

# test_folders PART AREA: prints the folders of tests/ that test this folder of the source.
test_folders() {
    local part=$1 area=$2 name folder wanted
    IFS=/ read -r _ name _ <<<"$area" # the second folder of the path
    case $area in
        engine | app) wanted=$(labelled "$area") ;;
        ui | ui/* | app/main) wanted=ui ;;
        gpu | gpu/*) wanted=gpu ;;
        app/cli | app/cli/*) wanted=cli ;;
        app/*) wanted="app $name" ;;
        engine/model) wanted=decoder ;;
        engine/records) wanted=session ;;
        *) wanted=$name ;;
    esac
    for folder in $wanted; do if has_tests "$part" "$folder"; then say "$folder"; fi; done
}

# has_tests PART FOLDER: whether a build for this part has tests in tests/FOLDER.
has_tests() {
    [ -f "tests/$2/CMakeLists.txt" ] || return 1
    case $1 in
        asan | tsan) ! has_word "$without_tests $not_sanitized" "$2" ;;
        *) ! has_word "$without_tests" "$2" ;;
    esac
}
has_label() { grep -rqE --include=CMakeLists.txt "LABELS [^)]*\b$2\b" "tests/$1"; }
labelled() { grep -rlE --include=CMakeLists.txt "LABELS [^)]*\b$1\b" tests/*/ | cut -d / -f 2 | sort -u; }
sanitized_folders() { local list; for list in tests/*/CMakeLists.txt; do list=${list#tests/}; if has_tests asan "${list%/*}"; then say "tests/${list%/*}"; fi; done; }

plan_tsan() {
    local word label='' areas=()
    for word in "$@"; do if [ "$word" = threads ]; then label=threads; else areas+=("$word"); fi; done
    if [ ${#areas[@]} = 0 ]; then
        label=threads
        mapfile -t areas < <(labelled threads | sed 's/^/tests\//')
    fi
    plan_tests tsan "$label" "${areas[@]}"
}

plan_tidy() {
    local area
    [ $# -gt 0 ] || say tidy
    for area in "$@"; do
        has_sources "$area" || fail "clang-tidy has nothing to check in '$area'; it checks the .cpp files of engine/ and app/; name a folder there" 2
        say "tidy $area"
    done
}
has_sources() {
    case $1/ in engine/* | app/*) [ -n "$(git ls-files "$1/*.cpp")" ] ;; *) return 1 ;; esac
}

# fuzz_targets: prints the name of each fuzz target and the library that it tests.
fuzz_targets() { sed -nE 's/^ *coterie_fuzz\(([a-z0-9_]+) .*LINKS coterie_([a-z0-9_]+).*/\1 \2/p' tests/fuzz/CMakeLists.txt; }
fuzz_names() { fuzz_targets | cut -d ' ' -f 1 | paste -s -d ' '; }

plan_fuzz() {
    local word seconds=$fuzz_seconds known targets=()
    known=$(fuzz_names)
    for word in "$@"; do
        if [[ $word =~ ^[1-9][0-9]*$ ]]; then seconds=$word
        elif has_word "$known" "$word"; then targets+=("$word")
        else fail "'$word' is neither a fuzz target nor a number of seconds; the targets are $known; name one of them" 2
        fi
    done
    if [ ${#targets[@]} = 0 ]; then read -ra targets <<<"$known"; fi
    for word in "${targets[@]}"; do say "fuzz $word $seconds"; done
}

plan_cross() {
    local system
    [ $# -gt 0 ] || set -- windows aarch64
    for system in "$@"; do
        has_word "windows aarch64" "$system" || fail "there is no cross build for '$system'; there is one for windows and one for aarch64; name one, or none for both" 2
        say "cross $system"
    done
}

plan_reference() {
    if [ -f "$reference_check" ]; then say reference; else say "left out: reference, because $reference_check is not there" >&2; fi
}

plan_all() {
    local folders part
    mapfile -t folders < <(sanitized_folders)
    for part in tests long tidy fresh packages fuzz cross reference; do plan_part "$part"; done
    for part in asan tsan; do plan_tests "$part" '' "${folders[@]}"; done
}
