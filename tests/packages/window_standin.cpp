// SPDX-License-Identifier: Apache-2.0
// Stands for the window in the test of the installer for Windows (windows_installer.py), as far as an installer knows
// it: it deletes the chats if the answer is "yes", and its file can't be replaced while it runs.
#include <windows.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

int main(int count, char** arguments) {
    const std::string call = count > 1 ? arguments[1] : "";
    const std::wstring data = _wgetenv(L"APPDATA");
    if (call == "--wait") {
        CloseHandle(CreateFileW((data + L"\\running").c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, 0, nullptr));
        Sleep(INFINITE);
    } else if (call == "--delete-all-data") {
        char answer[16] = {};
        if (std::fgets(answer, sizeof answer, stdin) == nullptr || std::strncmp(answer, "yes", 3) != 0) return 1;
        DeleteFileW((data + L"\\Coterie\\chats.db").c_str());
        RemoveDirectoryW((data + L"\\Coterie").c_str());
    }
    return 0;
}
