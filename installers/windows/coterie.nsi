; SPDX-License-Identifier: Apache-2.0
; The installer for Windows, for one user and without administrator's rights. installers/lib/windows_installer.py calls makensis with:
;   VERSION, PUBLISHER  as the list of installed programs shows them
;   KIBIBYTES           size of the files
;   ICON                the program's icon
;   FILES               a script with the macros InstallFiles and RemoveFiles: exactly the files of the tree
;   OUT                 the installer
; Its options: /S installs without questions, /GGUF takes the file type then, /D=FOLDER (the last one, without quotes) is the place.
; Those of the uninstaller: /S, which asks nothing and leaves the chats; with /CHATS it deletes them, too.
Target amd64-unicode ; the programs are for such processors alone
ManifestSupportedOS Win10
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
Name "Coterie"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Coterie"
InstallDirRegKey HKCU "Software\Coterie" "Folder"
BrandingText "Coterie ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Coterie"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "FileDescription" "Installs Coterie"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include Sections.nsh
!include "${FILES}"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Coterie"
!define TYPE "Coterie.gguf"
!define SHCNE_ASSOCCHANGED 0x08000000

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\coterie.exe"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "Italian"
!insertmacro MUI_LANGUAGE "Portuguese"
!include "${__FILEDIR__}\texts.nsh"

; Waits until the program is closed: its file can't be replaced or deleted while it runs. Without questions, it gives up.
!macro WaitUntilClosed prefix
Function ${prefix}WaitUntilClosed
  again:
    IfFileExists "$INSTDIR\coterie.exe" 0 closed
    ClearErrors
    FileOpen $0 "$INSTDIR\coterie.exe" a
    IfErrors 0 opened
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(StillOpen)" /SD IDCANCEL IDRETRY again
    SetErrorLevel 1
    Abort "$(StillOpen)"
  opened:
    FileClose $0
  closed:
FunctionEnd
!macroend
!insertmacro WaitUntilClosed ""
!insertmacro WaitUntilClosed "un."

Section "Coterie" ProgramSection
  SectionIn RO
  Call WaitUntilClosed
  ; An update leaves nothing of the version before it, whose own uninstaller knows its files. It leaves the chats.
  ReadRegStr $1 HKCU "Software\Coterie" "Folder"
  ${If} $1 != ""
  ${AndIf} ${FileExists} "$1\uninstall.exe"
    ExecWait '"$1\uninstall.exe" /S _?=$1' $2
    ${If} $2 != 0
      SetErrorLevel 1
      Abort "$(StillOpen)"
    ${EndIf}
    Delete "$1\uninstall.exe" ; it can't delete itself when it is waited for
    RMDir "$1"
  ${EndIf}
  SetOutPath "$INSTDIR"
  !insertmacro InstallFiles
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Coterie" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Coterie"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\coterie.exe,0"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KIBIBYTES}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ; "Open with" offers the program for such files, whichever program opens them usually.
  WriteRegStr HKCU "Software\Classes\${TYPE}" "" "$(ModelFile)"
  WriteRegStr HKCU "Software\Classes\${TYPE}\DefaultIcon" "" "$INSTDIR\coterie.exe,0"
  WriteRegStr HKCU "Software\Classes\${TYPE}\shell\open\command" "" '"$INSTDIR\coterie.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\.gguf\OpenWithProgids" "${TYPE}" ""
SectionEnd

Section "$(MenuPart)" MenuSection
  CreateShortcut "$SMPROGRAMS\Coterie.lnk" "$INSTDIR\coterie.exe"
SectionEnd

Section /o "$(TypePart)" TypeSection
  ReadRegStr $0 HKCU "Software\Classes\.gguf" ""
  ${If} $0 != "${TYPE}"
    WriteRegStr HKCU "Software\Coterie" "TypeBefore" "$0"
  ${EndIf}
  WriteRegStr HKCU "Software\Classes\.gguf" "" "${TYPE}"
SectionEnd

Section "-announce"
  System::Call 'shell32::SHChangeNotify(i ${SHCNE_ASSOCCHANGED}, i 0, p 0, p 0)'
SectionEnd

Function .onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/GGUF" $1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${TypeSection}
  ${EndIf}
  ; An update keeps what was chosen before it.
  ReadRegStr $0 HKCU "Software\Classes\.gguf" ""
  ${If} $0 == "${TYPE}"
    !insertmacro SelectSection ${TypeSection}
  ${EndIf}
  ReadRegStr $0 HKCU "Software\Coterie" "Folder"
  ${If} $0 != ""
  ${AndIfNot} ${FileExists} "$SMPROGRAMS\Coterie.lnk"
    !insertmacro UnselectSection ${MenuSection}
  ${EndIf}
FunctionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${ProgramSection} "$(AboutProgram)"
  !insertmacro MUI_DESCRIPTION_TEXT ${MenuSection} "$(AboutMenu)"
  !insertmacro MUI_DESCRIPTION_TEXT ${TypeSection} "$(AboutType)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; The program itself knows its files of chats, and deletes nothing else.
Function un.DeleteChats
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/CHATS" $1
  ${If} ${Errors}
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(DeleteChats)" /SD IDNO IDYES delete
    Return
  ${EndIf}
  delete:
  nsExec::Exec 'cmd.exe /s /c "echo yes| "$INSTDIR\coterie.exe" --delete-all-data"'
  Pop $0
  ${If} $0 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(ChatsNotDeleted)" /SD IDOK
  ${EndIf}
FunctionEnd

Section "Uninstall"
  Call un.WaitUntilClosed
  Call un.DeleteChats
  !insertmacro RemoveFiles
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Coterie.lnk"
  ReadRegStr $0 HKCU "Software\Classes\.gguf" ""
  ${If} $0 == "${TYPE}"
    ReadRegStr $1 HKCU "Software\Coterie" "TypeBefore"
    ${If} $1 == ""
      DeleteRegValue HKCU "Software\Classes\.gguf" ""
    ${Else}
      WriteRegStr HKCU "Software\Classes\.gguf" "" "$1"
    ${EndIf}
  ${EndIf}
  DeleteRegValue HKCU "Software\Classes\.gguf\OpenWithProgids" "${TYPE}"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf"
  DeleteRegKey HKCU "Software\Classes\${TYPE}"
  DeleteRegKey HKCU "Software\Coterie"
  DeleteRegKey HKCU "${UNINSTALL}"
  System::Call 'shell32::SHChangeNotify(i ${SHCNE_ASSOCCHANGED}, i 0, p 0, p 0)'
SectionEnd
