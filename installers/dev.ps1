# SPDX-License-Identifier: Apache-2.0
# The Windows twin of installers/dev: set-up and start in one command. It is not tested: no Windows machine builds this project yet.
#
#   .\installers\dev.ps1 run [MODEL]      builds, then opens the window
#   .\installers\dev.ps1 test             builds, then runs every test
#   .\installers\dev.ps1 setup            installs the packages that both need, and does nothing else
#
# -Yes (or CI in the environment) installs without asking. Tools come through winget, libraries through vcpkg (vcpkg.json names them).
param(
    [Parameter(Position = 0)][ValidateSet('run', 'test', 'setup', 'help')][string]$Command = 'help',
    [switch]$Yes,
    [Parameter(ValueFromRemainingArguments = $true)][string[]]$Rest = @()
)
$ErrorActionPreference = 'Stop'
$Root = Split-Path -Parent $PSScriptRoot
Set-Location $Root
$AssumeYes = $Yes -or $env:CI

function Fail([string]$Message) { [Console]::Error.WriteLine("error: $Message"); exit 1 }

# Tool -> winget package. A tool that is on PATH counts as installed.
$Tools = [ordered]@{
    'git'   = 'Git.Git'
    'cmake' = 'Kitware.CMake'
    'ninja' = 'Ninja-build.Ninja'
}
$BuildTools = 'Microsoft.VisualStudio.2022.BuildTools'

function Test-Compiler {
    $vswhere = Join-Path ${env:ProgramFiles(x86)} 'Microsoft Visual Studio\Installer\vswhere.exe'
    (Test-Path $vswhere) -and (& $vswhere -latest -products * -requires Microsoft.VisualStudio.Component.VC.Tools.x86.x64 -property installationPath)
}

function Install-Missing {
    $missing = @($Tools.Keys | Where-Object { -not (Get-Command $_ -ErrorAction SilentlyContinue) } | ForEach-Object { $Tools[$_] })
    if (-not (Test-Compiler)) { $missing += $BuildTools }
    $needVcpkg = -not ($env:VCPKG_ROOT -and (Test-Path "$env:VCPKG_ROOT\vcpkg.exe"))
    if ($needVcpkg) { Fail 'vcpkg is not here; it brings Qt, SQLiteCpp, md4c, CLI11 and nlohmann-json; install it, set VCPKG_ROOT to its folder, and run this again' }
    if ($missing.Count -eq 0) { return }
    Write-Host "Coterie needs $($missing.Count) program(s) that winget can install:"
    $missing | ForEach-Object { Write-Host "  $_" }
    if (-not $AssumeYes) {
        $answer = Read-Host 'Install them now? [y/N]'
        if ($answer -notmatch '^[yY]') { Fail 'nothing was installed; you said no; install the programs above by hand, or run this again' }
    }
    foreach ($package in $missing) {
        $extra = @()
        if ($package -eq $BuildTools) { $extra = @('--override', '--quiet --wait --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended') }
        winget install --exact --id $package --accept-package-agreements --accept-source-agreements @extra
        if ($LASTEXITCODE -ne 0) { Fail "winget could not install $package; its own lines say why; mend that and run this again" }
    }
    Write-Host 'Open a new terminal so that the new programs are found, then run this again.'
    exit 0
}

function Build([string[]]$Targets) {
    if (-not (Test-Path 'build\release\build.ninja')) {
        cmake --preset release "-DCMAKE_TOOLCHAIN_FILE=$env:VCPKG_ROOT\scripts\buildsystems\vcpkg.cmake"
        if ($LASTEXITCODE -ne 0) { Fail 'the release build could not be configured; the lines above say why; run this in a "Developer PowerShell for VS 2022"' }
    }
    $arguments = @('--build', 'build\release')
    if ($Targets.Count -gt 0) { $arguments += @('--target') + $Targets }
    cmake @arguments
    if ($LASTEXITCODE -ne 0) { Fail 'the build failed; the lines above say where; mend that and run this again' }
}

switch ($Command) {
    'run' { Install-Missing; Build @('coterie', 'coterie-cli'); & 'build\release\bin\coterie.exe' @Rest; exit $LASTEXITCODE }
    'test' { Install-Missing; Build @(); $env:QT_QPA_PLATFORM = 'offscreen'; ctest --preset release @Rest; exit $LASTEXITCODE }
    'setup' { Install-Missing }
    default { Get-Content $PSCommandPath -TotalCount 8 | Select-Object -Skip 1 | ForEach-Object { $_ -replace '^# ?', '' } }
}
