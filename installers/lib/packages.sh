# SPDX-License-Identifier: Apache-2.0
# Lists the packages of each task, by package manager, and installs them. Sourced by installers/dev and installers/package.
# CI and tests/fresh-machine.sh prove apt; dnf, pacman and brew are not tested.
# Only names of packages stand here: the machine's own settings say where they come from.

assume_yes=${CI:+1}

apt_build="g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libsqlitecpp-dev libsqlite3-dev liburing-dev libmd4c-dev
 qt6-base-dev qt6-declarative-dev qt6-declarative-dev-tools qt6-tools-dev qt6-l10n-tools qt6-pdf-dev libgl-dev
 qml6-module-qtqml qml6-module-qtqml-models qml6-module-qtqml-workerscript qml6-module-qtquick qml6-module-qtquick-window
 qml6-module-qtquick-controls qml6-module-qtquick-templates qml6-module-qtquick-layouts qml6-module-qtquick-dialogs
 qml6-module-qt-labs-folderlistmodel qml6-module-qtcore fonts-inter fonts-dejavu-core fonts-texgyre-math
 libvulkan-dev glslang-tools"
apt_test="qml6-module-qttest libbenchmark-dev python3 git ccache
 xvfb dbus-daemon at-spi2-core gir1.2-atspi-2.0 python3-gi strace libxtst6
 mesa-vulkan-drivers vulkan-validationlayers"
apt_cross="g++-mingw-w64-x86-64-posix wine wine64 nsis librsvg2-bin g++-aarch64-linux-gnu qemu-user python3"
apt_lint="clang-format git"
apt_tidy="clang-tidy python3"
apt_fuzz="clang libclang-rt-14-dev"
apt_fresh="debootstrap"
apt_package="dpkg-dev file git lintian librsvg2-bin patchelf python3 qt6-wayland xz-utils"
apt_package_test="debootstrap python3 strace xvfb libxtst6"

dnf_build="gcc-c++ cmake ninja-build json-devel cli11-devel SQLiteCpp-devel sqlite-devel liburing-devel md4c-devel qt6-qtbase-devel qt6-qtdeclarative-devel qt6-qttools-devel qt6-qtpdf-devel qt6-linguist
 mesa-libGL-devel rsms-inter-fonts dejavu-sans-mono-fonts vulkan-headers glslang"
dnf_test="google-benchmark-devel python3 git ccache xorg-x11-server-Xvfb dbus-daemon at-spi2-core python3-gobject strace libXtst
 mesa-vulkan-drivers vulkan-validation-layers"
dnf_cross="mingw64-gcc-c++ wine-core gcc-c++-aarch64-linux-gnu qemu-user python3"
dnf_lint="clang-tools-extra git"
dnf_tidy="clang-tools-extra python3"
dnf_fuzz="clang compiler-rt"
dnf_fresh="debootstrap"
dnf_package="" # packages are made on Debian only
dnf_package_test=""

pacman_build="gcc cmake ninja nlohmann-json cli11 sqlitecpp sqlite liburing md4c qt6-base qt6-declarative qt6-tools inter-font ttf-dejavu vulkan-headers glslang"
pacman_test="benchmark python git ccache xorg-server-xvfb at-spi2-core python-gobject strace libxtst
 vulkan-swrast vulkan-validation-layers"
pacman_cross="mingw-w64-gcc wine aarch64-linux-gnu-gcc qemu-user python"
pacman_lint="clang git"
pacman_tidy="clang python"
pacman_fuzz="clang compiler-rt"
pacman_fresh="debootstrap"
pacman_package=""
pacman_package_test=""

brew_build="cmake ninja nlohmann-json cli11 sqlitecpp sqlite md4c qt vulkan-headers glslang"
brew_test="google-benchmark python git ccache"
brew_cross="" # Windows and aarch64 are cross-built on Linux only
brew_lint="clang-format git"
brew_tidy="llvm python"
brew_fuzz="llvm"
brew_fresh="" # the bare machine is a Debian
brew_package="cmake librsvg ninja python"
brew_package_test=""

package_manager() {
    local manager
    for manager in apt-get dnf pacman brew; do
        if command -v "$manager" >/dev/null; then printf '%s' "${manager%-get}"; return; fi
    done
    fail "none of apt, dnf, pacman and brew is here; this program installs what it needs through one of them; install the packages that installers/lib/packages.sh names by hand"
}

# installed MANAGER PACKAGE...: prints the packages that are installed, one on each line. It makes one query for all, because it must be quick.
installed() {
    local manager=$1; shift
    case $manager in
        apt) dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p' ;;
        dnf) rpm -q --whatprovides --qf '%{NAME}\n' "$@" 2>/dev/null ;;
        pacman) pacman -Qq "$@" 2>/dev/null ;;
        brew) brew list --formula -1 2>/dev/null ;;
    esac || true
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else fail "installing packages needs root, and sudo is not here; run this once as root: $0 setup"
    fi
}

# install_packages TASK...: installs the packages that are missing; lists them and asks first, unless --yes was given.
install_packages() {
    local manager task list wanted=() missing=() have package
    manager=$(package_manager)
    for task in "$@"; do
        list="${manager}_$task"
        # shellcheck disable=SC2206 # the lists are words
        wanted+=(${!list})
    done
    have=$(installed "$manager" "${wanted[@]}")
    for package in "${wanted[@]}"; do
        grep -qxF -- "$package" <<<"$have" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    say "Coterie needs ${#missing[@]} package(s) that $manager can install:"
    printf '  %s\n' "${missing[@]}"
    if [ -z "${assume_yes:-}" ]; then
        [ -t 0 ] || fail "these packages are missing and nobody can be asked; there is no terminal; run this again with --yes"
        local answer
        read -r -p "Install them now? [y/N] " answer
        case $answer in [yY]*) ;; *) fail "nothing was installed; you said no; install the packages above by hand, or run this again" ;; esac
    fi
    case $manager in
        apt) as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ;;
        dnf) as_root dnf install -y "${missing[@]}" ;;
        pacman) as_root pacman -S --needed --noconfirm "${missing[@]}" ;;
        brew) brew install "${missing[@]}" ;;
    esac >"$(log_of packages)" 2>&1 || { tail -n 20 "$(log_of packages)"; fail "$manager could not install them; its last lines stand above; mend that and run this again"; }
}
