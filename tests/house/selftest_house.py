#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks each rule of check_house.py once, in a folder made for it, and sees that it is found: a check that can't fail is a defect."""
import pathlib
import shutil
import tempfile
import unittest

import check_house
import engine_texts
import source_text

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
LONG = "    work();\n" * 60


class EachRuleFindsItsBreach(unittest.TestCase):
    def found(self, **contents):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            for name in contents["files"]: # READMEs that lead to everything, except where a test has its own
                room = pathlib.PurePath(name).parent
                if room.parts and room.parts[0] in {"engine", "app"} and contents.get("readmes", True):
                    readme = source / room / "README.md"
                    readme.parent.mkdir(parents=True, exist_ok=True)
                    readme.write_text("".join(f"`{pathlib.PurePath(other).name}`\n" for other in contents["files"] if pathlib.PurePath(other).parent == room))
            for name, text in contents["files"].items():
                path = source / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(check_house.findings(source))

    def assertFinds(self, word, files):
        found = self.found(files=files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(word, found[0])

    def test_clean(self):
        self.assertEqual(self.found(files={"engine/gguf/a.h": SPDX + '#include "base/result.h"\n'}), [])

    def test_arrow_up_inside_engine(self):
        self.assertFinds("no arrow leads", {"engine/gguf/a.cpp": SPDX + '#include "session/session.h"\n'})

    def test_new_arrow_inside_engine(self):
        self.assertFinds("no arrow leads", {"engine/sampling/a.cpp": SPDX + '#include "kernels/kernels.h"\n'})

    def test_tables_point_up_to_lines_before(self):
        for table in (check_house.ENGINE_ARROWS, check_house.APP_ARROWS):
            self.assertEqual(check_house.upward(table), [])
        self.assertEqual(check_house.upward({"a": "b", "b": ""}), [("a", "b")])

    def test_path_that_hides_its_room(self):
        self.assertFinds("write the path from app/", {"app/store/a.cpp": SPDX + '#include "../chats/b.h"\n', "app/chats/b.h": SPDX})

    def test_engine_includes_qt(self):
        self.assertFinds("Qt", {"engine/base/a.cpp": SPDX + "#include <QString>\n"})

    def test_engine_includes_vulkan(self):
        self.assertFinds("vulkan", {"engine/base/a.cpp": SPDX + "#include <vulkan/vulkan.h>\n"})

    def test_app_past_the_door(self):
        self.assertFinds("no door", {"app/a.cpp": SPDX + '#include "decoder/device.h"\n'})

    def test_app_through_a_door_of_the_command_line(self):
        self.assertFinds("no door", {"app/a.cpp": SPDX + '#include "kernels/kernels.h"\n', "app/cli/a.cpp": SPDX + '#include "kernels/kernels.h"\n'})

    def test_app_through_the_door(self):
        self.assertEqual(self.found(files={"app/a.cpp": SPDX + '#include "session/session.h"\n#include "store/b.h"\n'}), [])

    def test_room_includes_one_above(self):
        self.assertFinds("store includes chats/b.h, to which no arrow leads", {"app/store/a.cpp": SPDX + '#include "chats/b.h"\n', "app/chats/b.h": SPDX})

    def test_command_line_includes_a_room(self):
        self.assertFinds("no arrow leads", {"app/cli/a.cpp": SPDX + '#include "common/b.h"\n', "app/common/b.h": SPDX})

    def test_new_arrow_between_rooms(self):
        self.assertFinds("look includes store/b.h, to which no arrow leads", {"app/look/a.cpp": SPDX + '#include "store/b.h"\n', "app/store/b.h": SPDX})

    def test_only_door(self):
        for words in ("It calls the engine through `session.h` alone.", "It sees only `engine/session/session.h` of the engine.",
                      "Nothing but session/session.h\nis included."):
            with self.subTest(words):
                self.assertFinds("the only door", {"app/store/a.h": SPDX + "// " + words.replace("\n", "\n// ") + "\n"})

    def test_one_of_several_doors(self):
        self.assertEqual(self.found(files={"app/store/a.h": SPDX + "// It calls the engine through session/session.h, and includes only what it needs.\n"}), [])

    def test_word_of_the_house(self):
        self.assertFinds("reported, shown", {"app/store/a.cpp": SPDX + "bool told = true;\n"})
        self.assertFinds("reported, shown", {"engine/base/a.h": SPDX + "void tell(int chat);\n"})

    def test_rooms_below(self):
        files = {"app/chats/a.cpp": SPDX + '#include "store/b.h"\n', "app/store/b.h": SPDX, "app/main/c.cpp": SPDX + '#include "cli/d.h"\n',
                 "app/cli/d.h": SPDX + '#include "export/e.h"\n', "app/export/e.h": SPDX}
        self.assertEqual(self.found(files=files), [])

    def test_crowded_room(self):
        self.assertFinds("26 sources; at most 25", {f"engine/base/a{i}.cpp": SPDX for i in range(26)})

    def test_file_that_no_readme_names(self):
        self.assertFinds("engine/base/b.h: engine/base/README.md does not lead to it",
                         {"engine/base/README.md": "`a.h`", "engine/base/a.h": SPDX, "engine/base/b.h": SPDX})

    def test_files_to_which_a_readme_leads(self):
        files = {"engine/base/README.md": "`a.h`", "engine/base/a.h": SPDX + '#include "base/b.h"\n', "engine/base/b.h": SPDX,
                 "engine/base/b_posix.cpp": SPDX + '#include "base/b.h"\n'}
        self.assertEqual(self.found(files=files), [])

    def test_room_without_a_readme(self):
        found = self.found(files={"engine/base/a.h": SPDX}, readmes=False)
        self.assertEqual(found, ["engine/base: has no README.md, and that of the folder above does not name it"])

    def test_gpu_includes_app(self):
        self.assertFinds("neither its own", {"gpu/a.cpp": SPDX + '#include "store/chat_store.h"\n'})

    def test_gpu_includes_qt(self):
        self.assertFinds("Qt", {"gpu/a.cpp": SPDX + "#include <QString>\n"})

    def test_gpu_includes_engine_and_itself(self):
        self.assertEqual(self.found(files={"gpu/a.cpp": SPDX + '#include "decoder/device.h"\n#include "b.h"\n#include <vulkan/vulkan.h>\n', "gpu/b.h": SPDX}), [])

    def test_gpu_links_app(self):
        self.assertFinds("gpu links", {"gpu/CMakeLists.txt": "target_link_libraries(coterie_gpu PRIVATE coterie_app)\n"})

    def test_forgotten_test(self):
        self.assertFinds("never runs", {"tests/base/tst_lost.cpp": SPDX, "tests/base/CMakeLists.txt": "coterie_test(tst_other)\n"})

    def test_test_that_another_folder_names(self):
        self.assertFinds("never runs", {"tests/base/tst_lost.cpp": SPDX, "tests/base/CMakeLists.txt": "", "tests/gguf/CMakeLists.txt": "coterie_test(tst_lost)\n"})

    def test_folder_without_a_list(self):
        self.assertFinds("nothing builds it", {"tests/gpu/helper.cpp": SPDX})

    def test_folder_that_cmake_does_not_know(self):
        files = {"tests/CMakeLists.txt": "foreach(area base gguf)\n", "tests/gpu/CMakeLists.txt": "coterie_test(tst_device)\n", "tests/gpu/tst_device.cpp": SPDX}
        self.assertFinds("does not know it", files)

    @unittest.skipUnless(shutil.which("ctest"), "ctest is not in PATH")
    def test_test_that_ctest_does_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            (source / "build").mkdir()
            for name in ("run", "lost"):
                (source / f"tst_{name}.cpp").write_text(SPDX, encoding="utf-8")
            (source / "build/CTestTestfile.cmake").write_text('add_test(tst_run "true")\n', encoding="utf-8")
            found = list(check_house.known_to_ctest(source, source / "build"))
        self.assertEqual(len(found), 1, found)
        self.assertIn("tst_lost.cpp: CTest does not run it", found[0])

    def test_dead_path(self):
        self.assertFinds("not there", {"README.md": "See `engine/gone.h`.\n"})

    def test_dead_path_above(self):
        self.assertFinds("not there", {"tests/README.md": "See `../engine/gone.h`.\n"})

    def test_path_out_of_the_tree(self):
        self.assertFinds("not there", {"README.md": "See `../elsewhere/a.h`.\n"})

    def test_dead_name(self):
        self.assertFinds("not there", {"engine/README.md": "Start at `gone.h`.\n", "app/gone.h": SPDX})

    def test_dead_link(self):
        self.assertFinds("not there", {"README.md": "See [the results](tests/bench/GONE.md).\n"})

    def test_living_paths(self):
        text = "See `../engine/base/a.h`, `engine/base`, [a](../engine/base/a.h#top), [net](https://example.org/a/b.h).\n"
        self.assertEqual(self.found(files={"tests/README.md": text, "engine/README.md": "Start at `a.h`.\n", "engine/base/a.h": SPDX}), [])

    def test_long_front_page(self):
        self.assertFinds("151 lines", {"README.md": "Text.\n" * 151})
        self.assertFinds("121 characters", {"README.md": "x" * 121 + "\n"})
        self.assertEqual(self.found(files={"README.md": ("x" * 120 + "\n") * 150, "app/README.md": "x" * 200 + "\n"}), [])

    def test_long_function_of_a_window(self):
        inside = "        a();\n" * 59
        self.assertFinds("act() has 61 lines", {"ui/A.qml": SPDX + "Item {\n    function act(): void {\n" + inside + "    }\n}\n"})
        self.assertFinds("onDone() has 61 lines", {"ui/A.qml": SPDX + "Item {\n    onDone: id => {\n" + inside + "    }\n}\n"})
        self.assertEqual(self.found(files={"ui/A.qml": SPDX + "Item {\n    function act(): void {\n" + inside[13:] + "    }\n    B {\n" + inside + "    }\n}\n"}), [])

    def test_long_function_of_a_script(self):
        self.assertFinds("act() has 61 lines", {"tests/a.py": SPDX.replace("//", "#") + "def act():\n" + "    pass\n" * 60})

    def test_test_that_moc_does_not_see(self):
        test = SPDX + "class T {{\n    Q_OBJECT\n{}    void works() {{}}\n{}}};\n"
        cmake = {"tests/base/CMakeLists.txt": "coterie_test(tst_a)\n", "tests/CMakeLists.txt": "add_subdirectory(base)\n"}
        self.assertFinds("moc does not see void works()", cmake | {"tests/base/tst_a.cpp": test.format("#ifdef __linux__\n", "#endif\n")})
        for clean in (test.format("#ifdef COTERIE_LINUX\n", "#endif\n"), test.format("", "#ifdef __linux__\n    int a;\n#endif\n")):
            self.assertEqual(self.found(files=cmake | {"tests/base/tst_a.cpp": clean}), [])

    def test_long_function(self):
        self.assertFinds("run() has 62 lines", {"app/a.cpp": SPDX + "namespace a {\nvoid run() {\n" + LONG + "}\n}\n"})

    def test_long_member_function(self):
        text = "template <class T> class Store : public Base<T> {\n  public:\n    Store() : a_{1}, b_(2) {\n" + LONG + "    }\n};\n"
        self.assertFinds("Store() has 62 lines", {"engine/base/a.h": SPDX + text})

    def test_long_but_no_function(self):
        text = "const Row rows[] = {\n" + "    {1, 2},\n" * 70 + "};\nstruct Many {\n" + "    int a = f();\n" * 70 + "};\nvoid rows_data() {\n" + LONG + "}\n"
        self.assertEqual(self.found(files={"app/a.cpp": SPDX + text}), [])

    def test_braces_that_are_no_code(self):
        text = "void a() {\n    // }\n    f(\"}\", '}', R\"(})\");\n#if A\n    if (b) {\n#else\n    if (c) {\n#endif\n    }\n}\nvoid b() {\n}\n"
        self.assertEqual([(name, count) for name, _, count in source_text.function_lengths(text)], [("a", 10), ("b", 2)])

    def test_numbers_by_the_locale(self):
        for code in ("std::snprintf(text, 9, f, value);", "double d = std::strtod(text, nullptr);", "d = std::stod(text);", "std::ostringstream text;", "setlocale(LC_ALL, n);"):
            for folder in ("app", "engine/base"):
                self.assertFinds("by the locale", {f"{folder}/a.cpp": SPDX + f"void a() {{\n    {code}\n}}\n"})

    def test_numbers_by_no_locale(self):
        text = 'auto s = "sprintf strtod";  // no printf\nint n = std::stoi(digits);\nstd::to_chars(begin, end, value);\nint print(int sprintfs);\n'
        self.assertEqual(self.found(files={"app/a.cpp": SPDX + text, check_house.SETS_LOCALE: SPDX + "void a() {\n    setlocale(LC_NUMERIC, c);\n}\n"}), [])

    def test_fragments(self):
        for words in ("Of at least one.", "What the file says.", "Where there is none.", "That may be used.", "But for one.", "Nor is NaN.", "of the model"):
            self.assertFinds("fragment", {"tests/house/a.cpp": SPDX + f"int a; // {words}\n", "tests/house/CMakeLists.txt": ""})

    def test_fragments_in_other_files(self):
        self.assertFinds("fragment", {"tests/house/a.py": "# SPDX-License-Identifier: Apache-2.0\nX = 1  # of the model\n"})
        self.assertFinds("fragment", {"tests/house/a.py": '# SPDX-License-Identifier: Apache-2.0\n"""Of the model."""\n'})
        self.assertFinds("fragment", {"tests/house/CMakeLists.txt": "add(a)\n# What users get.\n"})

    def test_sentences(self):
        text = "// Returns what\n// of the file is left.\nint a; // the number\n// Offset in bytes.\nauto s = \"// Of\";\n"
        self.assertEqual(self.found(files={"tests/house/a.cpp": SPDX + text, "tests/house/CMakeLists.txt": ""}), [])

    def test_no_licence_line(self):
        self.assertFinds("SPDX", {"app/a.cpp": "int a;\n"})

    def test_not_ascii(self):
        self.assertFinds("ASCII", {"app/a.cpp": SPDX + "// caf\u00e9\n"})

    def test_long_file(self):
        self.assertFinds("801 lines", {"app/a.cpp": SPDX + "\n" * 800})

    def test_left_over(self):
        self.assertFinds("left over", {"app/a.cpp": SPDX + "// TODO later\n"})


class TheListOfTexts(unittest.TestCase):
    def listed(self, text, name="engine/base/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            for source in [name] + [source for source, _ in engine_texts.SOURCES]:
                path = pathlib.Path(folder, source)
                (path.parent if path.suffix else path).mkdir(parents=True, exist_ok=True)
                if path.suffix:
                    path.write_text(text if source == name else "", encoding="utf-8")
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
            return engine_texts.sentences(pathlib.Path(folder))

    def test_errors_and_sentences(self):
        text = 'return {ErrorKind::Io, {"Can\'t read %1", path}, a ? Sentence("Gone") : "It is "\n    "damaged", "Nothing"};'
        self.assertEqual(self.listed(text), {"Can't read %1", "Gone", "It is damaged", "Nothing"})
        self.assertEqual(self.listed(text, "app/engine_link/engine_worker.cpp"), self.listed(text))
        self.assertEqual(self.listed(text, "gpu/vulkan_device.cpp"), self.listed(text))

    def test_sentences_that_are_passed_on(self):
        self.assertEqual(self.listed('refuse("It has no end"); name("end"); // "In a comment"'), {"It has no end"})

    def test_other_literals(self):
        self.assertEqual(self.listed('static_assert(a, "it is so"); db("SELECT id FROM chats"); t("a b = ?"); error("%1"); out("line\\n next");'), set())
        self.assertEqual(self.listed('f(tr("Open a model"));', "app/engine_link/engine_worker.cpp"), set())


if __name__ == "__main__":
    unittest.main()
