// SPDX-License-Identifier: Apache-2.0
// coterie: the window over the real engine.
#include "main/window_program.h"

int main(int argc, char** argv) {
    const coterie::app::WindowProgram program{.name = "coterie",
                                              .about = "Private chat with models on this machine",
                                              .addOptions = {},
                                              .factory = [] { return coterie::engine::openSession; }};
    return coterie::app::runWindow(program, argc, argv);
}
