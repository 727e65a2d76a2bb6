# SPDX-License-Identifier: Apache-2.0
# The long checks: sanitizers, fuzz targets, and verify, which runs everything. Sourced by installers/dev.

step() { printf '\n== %s (%s s so far)\n' "$1" "$SECONDS"; }

# run_sanitize [addresses | threads | --all]: address and undefined behaviour over the engine and app/ without the tests labelled slow; data races over the
# parts that own threads; both without a word. --all runs every test under both.
run_sanitize() {
    install_packages build test
    case ${1:-both} in
        addresses) check_addresses ;;
        threads) check_threads ;;
        both) check_addresses; check_threads ;;
        --all)
            build asan
            ctest --preset asan -j "$(nproc)"
            build tsan
            ctest --preset tsan -j "$(nproc)" ;;
        *) fail "sanitize takes addresses, threads or --all, not '$1'" 2 ;;
    esac
}
check_addresses() {
    build asan engine-tests app-tests
    ctest --preset asan -L '^(engine|app)$' -LE '^slow$' -j "$(nproc)"
}
check_threads() {
    build tsan threads-tests
    ctest --preset tsan -L '^threads$' -j "$(nproc)"
}

# run_fuzz [SECONDS]: each target starts with its corpus; new inputs stay in build/fuzz, and an input that makes it fail is named there.
run_fuzz() {
    install_packages build test fuzz
    build fuzz fuzz-tests
    local seconds=${1:-180} corpus name found
    for corpus in tests/fuzz/corpus/*/; do
        name=$(basename "$corpus")
        found=build/fuzz/found/$name
        mkdir -p "$found"
        step "fuzz_$name for $seconds s"
        "build/fuzz/tests/fuzz_$name" -max_total_time="$seconds" -artifact_prefix="$found/" -print_final_stats=1 "$found" "$corpus" >"build/fuzz/$name.log" 2>&1 ||
            { tail -n 30 "build/fuzz/$name.log"; fail "fuzz_$name found an input that fails; the lines above say how, $found holds it; mend the cause and add the input to $corpus"; }
        grep -E 'stat::(number_of_executed_units|new_units_added)' "build/fuzz/$name.log"
    done
}

# check_reference [CHECK OPTIONS]: the reference answers beside the checkout, with every table of kernels that this machine runs.
check_reference() {
    local reference=../shared/reference kernels
    [ -d "$reference" ] || { say "no reference answers beside the checkout"; return; }
    for kernels in $(build/release/bin/coterie-cli kernels | awk '/runs here|chosen/ { print $1 }'); do
        step "reference answers, $kernels kernels"
        python3 "$reference/check.py" build/release/bin/coterie-cli --kernels "$kernels" "$@"
    done
}

run_verify() {
    step "tests"
    run_tests
    check_reference
    step "clang-format and clang-tidy over everything"
    run_lint
    step "sanitizers over everything"
    run_sanitize --all
    run_fuzz
    step "cross builds"
    run_cross
    step "a bare machine"
    install_packages fresh
    as_root tests/fresh-machine.sh
    step "verified"
}
