// SPDX-License-Identifier: Apache-2.0
// coterie-offline: the same window over a scripted engine, for working on the window without a model. Any existing file
// stands for one.
#include "fakes/fake_session.h"
#include "main/window_program.h"

int main(int argc, char** argv) {
    std::string script = "story";
    const coterie::app::WindowProgram program{
        .name = "coterie-offline",
        .about = "Coterie's window over a scripted engine; any file may be opened as a model",
        .addOptions =
            [&script](CLI::App& options) {
                options.add_option("--script", script, "What the engine does")
                    ->check(CLI::IsMember(coterie::test::fakeScriptNames()));
            },
        .factory = [&script] { return coterie::test::fakeFactory(coterie::test::fakeScript(script).value()); }};
    return coterie::app::runWindow(program, argc, argv);
}
