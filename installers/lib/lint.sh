# SPDX-License-Identifier: Apache-2.0
# Style and static checks: all must be clean. Sourced by installers/dev. qmllint runs with the tests (tests/ui/lint_qml.py).

# run_lint [--quick]: --quick leaves clang-tidy out, which takes longer than everything else together.
run_lint() {
    install_packages build test lint
    local sources
    mapfile -t sources < <(git ls-files '*.cpp' '*.h')
    clang-format --dry-run --Werror "${sources[@]}"
    if [ "${1:-}" = --quick ]; then say "format: clean (${#sources[@]} files)"; return; fi
    build release
    # run-clang-tidy takes regular expressions: ours only, not what moc and qmlcachegen wrote into build/.
    run-clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/release "^$root/(engine|app)/.*\.cpp$" >build/clang-tidy.log 2>&1 || { grep -E 'warning:|error:' build/clang-tidy.log | sort -u | head -n 50; fail "clang-tidy found something; the lines above say what; mend it (build/clang-tidy.log has all)"; }
    say "lint: clean (${#sources[@]} files)"
}
