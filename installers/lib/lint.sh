# SPDX-License-Identifier: Apache-2.0
# Style and static checks: all must be clean. Sourced by installers/dev. qmllint runs with the tests (tests/ui/lint_qml.py).

changed_commits=10 # --changed looks at so many commits
changed_files=24   # and at so many of their files, newest commits first: some minutes on two cores

# changed_sources: the .cpp files of engine/ and app/ that the last commits changed, each one once; a changed header stands for the .cpp beside it.
changed_sources() {
    git log -n "$changed_commits" --format= --name-only -- engine app | sed 's/\.h$/.cpp/' | grep '\.cpp$' | awk '!seen[$0]++' |
        while read -r file; do if [ -f "$file" ] && grep -qF "$root/$file" build/release/compile_commands.json; then printf '%s\n' "$file"; fi; done
}

# run_lint [--quick | --changed]: --quick leaves clang-tidy out, which takes longer than everything else together; --changed bounds its files.
run_lint() {
    install_packages build test lint
    local sources files=()
    mapfile -t sources < <(git ls-files '*.cpp' '*.h')
    clang-format --dry-run --Werror "${sources[@]}"
    if [ "${1:-}" = --quick ]; then say "format: clean (${#sources[@]} files)"; return; fi
    build release
    if [ "${1:-}" = --changed ]; then
        mapfile -t files < <(changed_sources)
        if [ ${#files[@]} -gt "$changed_files" ]; then
            say "clang-tidy: the newest $changed_files of ${#files[@]} changed files; ./installers/dev lint checks all"
            files=("${files[@]:0:$changed_files}")
        fi
        if [ ${#files[@]} = 0 ]; then say "lint: no source changed in the last $changed_commits commits"; return; fi
    fi
    python3 installers/lib/tidy.py build/release "${files[@]}" >build/clang-tidy.log 2>&1 || { grep -E 'warning:|error:|clean$' build/clang-tidy.log | sort -u | head -n 50; fail "clang-tidy found something; the lines above say what; mend it (build/clang-tidy.log has all)"; }
    say "lint: format: clean (${#sources[@]} files); $(tail -n 1 build/clang-tidy.log)"
}
