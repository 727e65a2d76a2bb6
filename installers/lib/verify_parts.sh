# SPDX-License-Identifier: Apache-2.0
# The parts of verify: unit_PART runs one unit and fails if anything in it fails. Sourced by installers/dev. run_unit in verify.sh calls them.

# install_packages_of UNIT ...: installs what these units need, before the first one runs: a unit can't ask.
install_packages_of() {
    local unit tasks=''
    for unit in "$@"; do
        case $unit in
            tidy*) tasks+=' build test tidy' ;;
            fuzz*) tasks+=' build test fuzz' ;;
            cross*) tasks+=' build cross' ;;
            fresh) tasks+=' fresh' ;;
            packages) tasks+=' build package package_test' ;;
            *) tasks+=' build test' ;;
        esac
    done
    # shellcheck disable=SC2046 # the tasks are words
    [ -z "$tasks" ] || install_packages $(tr ' ' '\n' <<<"$tasks" | awk 'NF && !seen[$0]++')
}

# test_names FOLDER [CTEST OPTIONS]: prints the names of the tests that CTest knows in a folder of a build.
test_names() { ctest --test-dir "$1" --show-only "${@:2}" | sed -nE 's/^ *Test +#[0-9]+: ([^ ]+).*/\1/p'; }

# tests_once KIND FOLDER [CTEST OPTIONS]: runs the tests in a folder of a build that have not passed at this commit as KIND, and keeps each that passes.
tests_once() {
    local kind=$1 folder=$2 names name line left=() chosen=(); shift 2
    mapfile -t names < <(test_names "$folder" "$@")
    [ ${#names[@]} -gt 0 ] || fail "there are no tests in $folder; CTest knows none there${1:+ with $*}; see that the CMakeLists.txt of that folder adds one"
    for name in "${names[@]}"; do is_kept "$kind/$name" || left+=("$name"); done
    if [ ${#left[@]} = 0 ]; then say "All ${#names[@]} tests have passed at this commit."; return; fi
    if [ ${#left[@]} -lt ${#names[@]} ]; then
        say "$((${#names[@]} - ${#left[@]})) of ${#names[@]} tests have passed at this commit and are not run again."
        chosen=(-R "^($(IFS='|'; printf '%s' "${left[*]}"))\$")
    fi
    QT_QPA_PLATFORM=offscreen ctest --test-dir "$folder" --output-on-failure -j "$(nproc)" "$@" "${chosen[@]}" | while IFS= read -r line; do
        printf '%s\n' "$line"
        if [[ $line =~ ^\ *[0-9]+/[0-9]+\ +Test\ +\#[0-9]+:\ ([^ ]+)\ \.+\ +Passed ]]; then keep "$kind/${BASH_REMATCH[1]}"; fi
    done
}

unit_tests() {
    build release
    tests_once tests "build/release${1:+/$1}"
}
unit_long() {
    build release
    COTERIE_LONG_TESTS=1 tests_once long "build/release${1:+/$1}"
}

unit_asan() { sanitized_tests asan "$1"; }
unit_tsan() {
    local names
    if [ -z "${2:-}" ]; then sanitized_tests tsan "$1"; return; fi
    build tsan build.ninja # brings CTest's list up to date; a test is named like the program that it runs
    mapfile -t names < <(test_names "build/tsan/$1" -L "^$2\$")
    [ ${#names[@]} = 0 ] || build tsan "${names[@]}"
    tests_once tsan "build/tsan/$1" -L "^$2\$"
}
sanitized_tests() {
    local preset=$1 folder=$2 targets=("$2/all")
    [ "$folder" != tests/bench ] || targets+=(coterie-cli) # its tests run the program, but their targets don't need it
    build "$preset" "${targets[@]}"
    tests_once "$preset" "build/$preset/$folder"
}

# unit_reference: the answers beside the checkout, with each table of kernels that this machine runs.
unit_reference() {
    local tables kernels wrong=''
    build release coterie-cli
    tables=$(build/release/bin/coterie-cli kernels | awk '/runs here|chosen/ { print $1 }')
    for kernels in $tables; do
        if is_kept "reference/$kernels"; then say "The answers with the $kernels kernels have passed at this commit."; continue; fi
        step "reference answers, $kernels kernels"
        if python3 "$reference_check" build/release/bin/coterie-cli --kernels "$kernels"; then keep "reference/$kernels"; else wrong+=" $kernels"; fi
    done
    [ -z "$wrong" ] || fail "answers differ from the reference with these kernels:$wrong; the lines above say which; mend the engine and run this again"
}

unit_tidy() {
    build release
    python3 installers/lib/tidy.py build/release "$@" >build/clang-tidy.log 2>&1 || {
        cat build/clang-tidy.log
        grep -E 'warning:|error:' build/clang-tidy.log | sort -u | tail -n 30
        fail "clang-tidy found something; the lines above name each place once; mend it (build/clang-tidy.log has all)"
    }
    tail -n 1 build/clang-tidy.log
}

# unit_fuzz TARGET SECONDS: starts with the corpus; new inputs stay in build/fuzz, and an input that makes the target fail is named there.
unit_fuzz() {
    local corpus=tests/fuzz/corpus/$1/ found=build/fuzz/found/$1 words=tests/fuzz/dictionaries/$1.dict options=()
    build fuzz "fuzz_$1"
    mkdir -p "$found"
    [ ! -f "$words" ] || options=("-dict=$words")
    "build/fuzz/tests/fuzz_$1" -max_total_time="$2" -artifact_prefix="$found/" -print_final_stats=1 "${options[@]}" "$found" "$corpus" ||
        fail "fuzz_$1 found an input that fails; the lines above say how, $found holds it; mend the cause and add the input to $corpus"
}

unit_cross() { "cross_$1"; }

unit_fresh() { as_root tests/fresh-machine.sh; }
unit_packages() { ./installers/package deb --test --yes && ./installers/package portable --test --yes; }
