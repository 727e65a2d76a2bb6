// SPDX-License-Identifier: Apache-2.0
// coterie: the window over the real engine.
#include "cli/program_devices.h"
#include "main/window_program.h"

int main(int argc, char** argv) {
    using namespace coterie;
    const app::WindowProgram program{
        .name = "coterie", .about = "Private chat with models on this machine", .addOptions = {}, .engine = [] {
            return app::AppOptions{.dataFolder = {},
                                   .factory = engine::openSession,
                                   .model = {},
                                   .inspect = engine::inspectModel,
                                   .packedFiles = app::packedFileCalls(),
                                   .devices = app::programDevices()};
        }};
    return app::runWindow(program, argc, argv);
}
