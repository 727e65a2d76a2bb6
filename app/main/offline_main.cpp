// SPDX-License-Identifier: Apache-2.0
// coterie-offline: the same window over a scripted engine, for working on the window without a model. Any existing file
// can serve as a model.
#include "fakes/fake_packed_files.h"
#include "fakes/fake_session.h"
#include "main/window_program.h"

int main(int argc, char** argv) {
    using namespace coterie;
    std::string script = "story";
    const app::WindowProgram program{.name = "coterie-offline",
                                     .about =
                                         "Coterie's window over a scripted engine; any file may be opened as a model",
                                     .addOptions =
                                         [&script](CLI::App& options) {
                                             options.add_option("--script", script, "What the engine does")
                                                 ->check(CLI::IsMember(test::fakeScriptNames()));
                                         },
                                     .engine =
                                         [&script] {
                                             const test::FakeScript chosen = test::fakeScript(script).value();
                                             return app::AppOptions{.dataFolder = {},
                                                                    .factory = test::fakeFactory(chosen),
                                                                    .model = {},
                                                                    .inspect = test::fakeInspector(chosen),
                                                                    .packedFiles = test::fakePackedFiles()};
                                         }};
    return app::runWindow(program, argc, argv);
}
