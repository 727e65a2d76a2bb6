# SPDX-License-Identifier: Apache-2.0
# The format of C++ files. Sourced by installers/dev. clang-tidy is a part of verify; qmllint runs with the tests (tests/ui/lint_qml.py).

# run_lint: checks the format of every tracked C++ file.
run_lint() {
    local sources
    [ $# = 0 ] || fail "lint does not know '$1'; it checks the format of all C++ files; for clang-tidy run ./installers/dev verify tidy [AREA]" 2
    install_packages lint
    mapfile -t sources < <(tracked_sources)
    clang-format --dry-run --Werror "${sources[@]}" ||
        fail "the format of some C++ files is wrong; clang-format names the places above; ./installers/dev format mends them"
    say "format: clean (${#sources[@]} files)"
}

# run_format: brings every tracked C++ file into the format, in place.
run_format() {
    local sources
    install_packages lint
    mapfile -t sources < <(tracked_sources)
    clang-format -i "${sources[@]}"
    say "format: done (${#sources[@]} files)"
}

# tracked_sources: prints the C++ files that git knows and that are there.
tracked_sources() { git ls-files '*.cpp' '*.h' | while IFS= read -r file; do if [ -f "$file" ]; then printf '%s\n' "$file"; fi; done; }
