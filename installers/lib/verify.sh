# SPDX-License-Identifier: Apache-2.0
# verify runs long checks one after another, goes on after a failure, and keeps what has passed. Sourced by installers/dev. verify_plan.sh and
# verify_changed.sh turn a call into units, verify_parts.sh runs one unit; here is what all units have in common.
#
#   ./installers/dev verify [PART [ARGUMENT ...]] ... [--since COMMIT] [--list]
#
# Parts, which run in this order:
#   tests [AREA ...]              every test of the release build
#   long [AREA ...]               the same tests in their long form (COTERIE_LONG_TESTS=1)
#   reference                     ../shared/reference/check.py with every table of kernels that this machine runs
#   tidy [AREA ...]               clang-tidy over engine/ and app/
#   asan [AREA ...]               tests under the address and undefined behaviour sanitizers (default: the labels engine and app)
#   tsan [AREA ...] [threads]     tests under the thread sanitizer; with the word threads, or without an area, only the label threads
#   fuzz [TARGET ...] [SECONDS]   each fuzz target for that long (default: every target, 180)
#   cross [windows] [aarch64]     engine and coterie-cli for Windows (under wine) and aarch64 (under qemu), with their tests
#   fresh                         the two commands of README.md on a bare Debian 12; needs root and tests the last commit
#   packages                      makes the Debian package and the portable folder, and tries them on a bare Debian 12 and a bare Debian 13; needs root
# Two words stand for a list of parts:
#   changed                       what your changes touch; this is the default
#   all                           every part, with asan and tsan over every test
#
# AREA is a folder: engine, app, ui, engine/experts, app/store or tests/decoder. tidy checks the files in it, the other parts run the folder of tests/
# that mirrors it; for a folder of app/ also tests/app.
# changed compares the files here with COMMIT or, without --since, with the point where this branch left origin/main (or main, if there is no
# origin/main). On main itself it compares with the tenth commit before the last one.
# A unit that has passed at this commit is kept in build/verify and not run again; with uncommitted changes nothing is kept. Ctrl+C stops; the same call
# continues. --list prints the units and runs nothing; each line of it can be given to verify. To run everything again, delete build/verify.
set -euo pipefail

since=''
results='' # the folder of logs and of what has passed
commit=''  # the commit that is checked, or nothing if the tree has changes
passed=() kept=() failed=() due=()

verify_usage() { sed -n '/^#   \.\/installers/,/^set /s/^# \{0,1\}//p' "$root/installers/lib/verify.sh"; }
step() { printf '\n== %s (%s s so far)\n' "$1" "$SECONDS"; }

# clean_commit: prints the commit that is checked out, or nothing if the tree has changes.
clean_commit() {
    local changes
    changes=$(git status --porcelain) || return 0
    [ -n "$changes" ] || git rev-parse HEAD
}

# keep NAME: notes that NAME has passed at this commit, unless the tree is not that commit any more.
keep() {
    [ -n "$commit" ] && [ "$(clean_commit)" = "$commit" ] || return 0
    mkdir -p "$(dirname "$results/passed/$1")"
    : >"$results/passed/$1"
}
is_kept() { [ -n "$commit" ] && [ -e "$results/passed/$1" ]; }
file_name() { printf '%s' "${1//[ \/]/-}"; }
unit_is_kept() { is_kept "units/$(file_name "$1")"; }

run_verify() {
    local list='' words=() planned units=() unit
    while [ $# -gt 0 ]; do
        case $1 in
            --list) list=1 ;;
            --since) [ $# -gt 1 ] || fail "--since came without a commit; changed compares your files with it; write --since COMMIT" 2; since=$2; shift ;;
            help | --help | -h) verify_usage; return ;;
            -*) fail "verify has no option '$1'; it knows --since COMMIT, --list and --yes; ./installers/dev verify --help explains them" 2 ;;
            *) words+=("$1") ;;
        esac
        shift
    done
    planned=$(plan "${words[@]:-changed}")
    [ -n "$planned" ] || { say "Nothing that verify checks has changed."; return; }
    mapfile -t units <<<"$planned"
    commit=$(clean_commit)
    results=build/verify/${commit:-uncommitted}
    for unit in "${units[@]}"; do
        if unit_is_kept "$unit"; then kept+=("$unit"); else due+=("$unit"); fi
        if [ -z "$list" ]; then continue; fi
        if unit_is_kept "$unit"; then say "$unit  # has passed at this commit"; else say "$unit"; fi
    done
    [ -n "$list" ] || run_units
}

# run_units: runs the units of due, then says what came of it.
run_units() {
    local unit
    if [ -z "$commit" ]; then say "There are uncommitted changes, so nothing that passes is kept."; fi
    for unit in "${kept[@]}"; do say "kept: $unit has passed at this commit"; done
    install_packages_of "${due[@]}"
    mkdir -p "$results"
    trap stop_units INT TERM
    while [ ${#due[@]} -gt 0 ]; do
        run_unit "${due[0]}"
        due=("${due[@]:1}")
    done
    trap - INT TERM
    summary "verify is done"
    [ ${#failed[@]} = 0 ] || fail "verify is not clean: ${#failed[@]} of its units failed; the logs named above say why; mend that and run this again"
}

# run_unit UNIT: runs it in a subshell, in which the first command that fails ends the unit.
run_unit() {
    local unit=$1 words log began=$SECONDS status
    read -ra words <<<"$unit"
    log=$results/$(file_name "$unit").log
    step "$unit, log: $log"
    set +e
    (set -e; trap - INT TERM; "unit_${words[0]}" "${words[@]:1}") </dev/null >"$log" 2>&1
    status=$?
    set -e
    if [ "$status" = 0 ]; then
        passed+=("$unit")
        keep "units/$(file_name "$unit")"
        say "passed in $((SECONDS - began)) s"
        if [ -n "$commit" ] && ! unit_is_kept "$unit"; then say "The files have changed meanwhile, so this is not kept."; fi
    else
        failed+=("$unit")
        tail -n 40 "$log" | sed 's/^/    /'
        say "failed after $((SECONDS - began)) s; above is the end of $log"
    fi
}

stop_units() {
    trap - INT TERM
    summary "verify was stopped"
    if [ -n "$commit" ] && [ ${#due[@]} -gt 0 ]; then say "The same call continues with ${due[0]}."; fi
    exit 130
}

summary() {
    local unit
    step "$1: ${#passed[@]} passed, ${#kept[@]} kept from before, ${#failed[@]} failed, ${#due[@]} not run"
    for unit in "${passed[@]}"; do say "passed:  $unit"; done
    for unit in "${kept[@]}"; do say "kept:    $unit"; done
    for unit in "${failed[@]}"; do say "failed:  $unit ($results/$(file_name "$unit").log)"; done
    for unit in "${due[@]}"; do say "not run: $unit"; done
}
