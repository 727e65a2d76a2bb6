// SPDX-License-Identifier: Apache-2.0
// coterie-cli: the engine on the command line.
int main() { return 0; }
