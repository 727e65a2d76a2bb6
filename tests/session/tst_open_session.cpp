// SPDX-License-Identifier: Apache-2.0
// Opening and inspecting: progress, wrong options, and files that are missing, empty, cut, of another kind, or failing
// on the way.
#include "decoder/tiny_families.h"
#include "records/trace_log.h"
#include "session/opened_model.h"
#include "support/faulty_files.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr uint32_t kQ4KM = 15; // general.file_type of the type Q4_K_M

void checkParts(const Error& error) {
    QVERIFY2(!error.what.empty() && !error.why.empty() && !error.action.empty(), error.line().c_str());
}

OpenOptions at(const std::string& path) {
    OpenOptions options;
    options.path = path;
    options.threads = 1;
    return options;
}

ErrorKind kindOf(const OpenOptions& options) {
    const Result<std::unique_ptr<Session>> session = openSession(options);
    if (session) return ErrorKind::Internal; // none of the kinds that these tests expect
    checkParts(session.error());
    return session.error().kind;
}

bool write(const std::string& path, const std::string& bytes) {
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size());
}

} // namespace

class TestOpenSession : public QObject {
    Q_OBJECT

    ModelFolder folder_;

  private Q_SLOTS:
    void progressRisesToOne() {
        OpenOptions options = at(folder_.save({}));
        std::vector<double> shares;
        options.onProgress = [&](double share) {
            shares.push_back(share);
            return true;
        };
        QVERIFY(openSession(options).ok());
        QVERIFY(!shares.empty());
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        QVERIFY(shares.front() >= 0);
        QCOMPARE(shares.back(), 1.0);
        options.onProgress = [](double) { return false; };
        QCOMPARE(kindOf(options), ErrorKind::Cancelled);
    }

    /// No window can show a name of megabytes, and nobody can read it.
    void longTextsOfAFileAreCut() {
        const std::string longName = "a" + QString(1 << 20, QChar(0xe9)).toStdString();
        TinyModelOptions tiny;
        tiny.name = longName;
        const Result<ModelInfo> info = inspectModel(at(folder_.save(tiny, "long.gguf")));
        QVERIFY(info.ok());
        QVERIFY(info->name.size() > 200 && info->name.size() < 300 && info->name.ends_with("..."));
        QCOMPARE(QString::fromStdString(info->name).toStdString(), info->name); // no character was divided
        for (const bool model : {true, false}) {
            TinyModelOptions foreign;
            foreign.tokenizer = false;
            foreign.extraKeys = [&](GgufWriter& w) {
                w.string("tokenizer.ggml.model", model ? longName : "gpt2").string("tokenizer.ggml.pre", longName);
            };
            const Result<ModelInfo> seen = inspectModel(at(folder_.save(foreign, "foreign.gguf")));
            QVERIFY(seen.ok() && !seen->problems.empty());
            for (const Error& problem : seen->problems) QVERIFY(problem.line().size() < 500);
        }
    }

    void infoSaysWhatTheFileHolds() {
        TinyModelOptions tiny;
        tiny.architecture = "smallthinker";
        tiny.type = TensorType::Q8_0;
        const std::string path = folder_.save(tiny);
        const auto session = openTiny(path);
        QVERIFY(session);
        const Result<ModelInfo> inspected = inspectModel(at(path));
        QVERIFY(inspected.ok());
        for (const ModelInfo& info : {session->info(), inspected.value()}) {
            QCOMPARE(info.path, path);
            QCOMPARE(info.name, std::string("tiny-smallthinker"));
            QCOMPARE(info.architecture, std::string("smallthinker"));
            QCOMPARE(info.flavour, std::string("mainline"));
            QCOMPARE(info.quantisation, std::string("Q8_0"));
            QCOMPARE(info.licence, std::string("apache-2.0"));
            QCOMPARE(info.layers, tiny.layers);
            QCOMPARE(info.width, tiny.width);
            QCOMPARE(info.heads, tiny.heads);
            QCOMPARE(info.kvHeads, tiny.kvHeads);
            QCOMPARE(info.headDim, tiny.headDim);
            QCOMPARE(info.feedForward, tiny.feedForward);
            QCOMPARE(info.experts, tiny.experts);
            QCOMPARE(info.expertsPerToken, tiny.expertsPerToken);
            QCOMPARE(info.vocabulary, tiny.vocabulary);
            QCOMPARE(info.trainedContext, tiny.context);
            QCOMPARE(info.turns, Turns::Template);
            QVERIFY(info.parameters > 0 && info.fileBytes > info.parameters);
            QCOMPARE(info.memory.context, tiny.context);
            QVERIFY(info.memory.total() > 0 && info.memory.total() <= info.memory.budget);
            QVERIFY(info.problems.empty());
        }
    }

    void wrongOptionsAreRefused_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("kind");
        QTest::newRow("no device") << "device"
                                   << "" << int(ErrorKind::BadInput);
        QTest::newRow("tpu") << "device"
                             << "tpu" << int(ErrorKind::BadInput);
        QTest::newRow("number") << "device"
                                << "cpu:1" << int(ErrorKind::BadInput);
        QTest::newRow("kernels") << "kernels"
                                 << "abacus" << int(ErrorKind::BadInput);
        QTest::newRow("threads") << "threads"
                                 << "-1" << int(ErrorKind::BadInput);
        QTest::newRow("many threads") << "threads"
                                      << "100000" << int(ErrorKind::BadInput);
        QTest::newRow("context") << "context"
                                 << "-1" << int(ErrorKind::BadInput);
        QTest::newRow("memory") << "memory"
                                << "4096" << int(ErrorKind::OutOfMemory);
    }
    void wrongOptionsAreRefused() {
        QFETCH(QString, option);
        QFETCH(QString, value);
        QFETCH(int, kind);
        OpenOptions options = at(folder_.save({}));
        if (option == "device") options.device = value.toStdString();
        if (option == "kernels") options.kernels = value.toStdString();
        if (option == "threads") options.threads = value.toInt();
        if (option == "context") options.context = value.toInt();
        if (option == "memory") options.memory = value.toULongLong();
        QCOMPARE(int(kindOf(options)), kind);
        const Result<ModelInfo> info = inspectModel(options);
        if (option == "memory")
            QVERIFY(info.ok() && info->problems.size() == 1); // a card can be shown all the same
        else
            QCOMPARE(int(info.error().kind), kind);
    }

    void keysAndValuesInEightBits() {
        OpenOptions options = at(folder_.save({}));
        const uint64_t exact = inspectModel(options)->memory.keyValue;
        options.keyValueFormat = TensorType::Q8_0;
        const auto session = openSession(options);
        QVERIFY(session.ok());
        QCOMPARE(session.value()->info().memory.keyValueFormat, TensorType::Q8_0);
        QCOMPARE(session.value()->info().memory.keyValue, exact / 64 * 34);
        QCOMPARE(inspectModel(options)->memory.keyValue, exact / 64 * 34);
        QVERIFY(session.value()
                    ->logits(
                        std::vector<TokenId>{1, 2, 3}, [](int64_t, std::span<const float>) {}, nullptr)
                    .ok());

        TinyModelOptions narrow;
        narrow.headDim = 16;
        options.path = folder_.save(narrow);
        QCOMPARE(kindOf(options), ErrorKind::Unsupported);
        QCOMPARE(inspectModel(options)->problems.size(), size_t{1}); // a card can be shown all the same
    }

    void namesOfOptionsAreRead() {
        QVERIFY(parseKeyValueFormat("f16").value() == TensorType::F16);
        QVERIFY(parseKeyValueFormat("q8_0").value() == TensorType::Q8_0);
        QVERIFY(parseRoutingWhen("always").value() == RoutingWhen::Always);
        QVERIFY(parseRoutingWhen("scarce").value() == RoutingWhen::Scarce);
        for (const Role role : {Role::System, Role::User, Role::Assistant, Role::Tool})
            QVERIFY(roleFrom(roleName(role)) == role);
        for (const char* wrong : {"", "F16", "q4_0", "Always", "never", "scarc"}) {
            QVERIFY(!parseKeyValueFormat(wrong) && !parseRoutingWhen(wrong) && !roleFrom(wrong));
            checkParts(parseKeyValueFormat(wrong).error());
            checkParts(parseRoutingWhen(wrong).error());
        }
    }

    /// The plan keeps room for the trace of a whole context, also for a longer one.
    void aTraceCounts() {
        OpenOptions options = at(folder_.save({}));
        options.memory = uint64_t{1} << 30;
        options.held = 8 << 20;
        for (const int64_t context : {64, 128}) {
            options.context = context;
            options.traced = false;
            const ModelInfo without = inspectModel(options).value();
            options.traced = true;
            const ModelInfo with = inspectModel(options).value();
            QCOMPARE(with.memory.program - without.memory.program,
                     static_cast<uint64_t>(context) * TraceLog::bytesPerToken(traceShape(with)));
        }
    }

    void everyKernelTableOpens() {
        OpenOptions options = at(folder_.save({}));
        options.kernels = "scalar";
        options.device = "cpu";
        QVERIFY(openSession(options).ok());
    }

    void whatIsNoModelIsRefused() {
        QCOMPARE(kindOf(at(folder_.path("missing.gguf"))), ErrorKind::NotFound);
        QVERIFY(!openSession(at("")));
        QVERIFY(!inspectModel(at(folder_.path("missing.gguf"))));
        QVERIFY(!openTokenizer(folder_.path("missing.gguf")));
        QVERIFY(QDir().mkpath(QString::fromStdString(folder_.path("folder.gguf"))));
        for (const std::string& bytes :
             {std::string(), std::string("GGUF"), std::string(5000, 'x'), std::string("GGUF\3\0\0\0", 8)}) {
            const std::string path = folder_.path("bad.gguf");
            QVERIFY(write(path, bytes));
            for (const std::string& bad : {path, folder_.path("folder.gguf")}) {
                const Result<std::unique_ptr<Session>> session = openSession(at(bad));
                QVERIFY(!session);
                checkParts(session.error());
                QVERIFY(!inspectModel(at(bad)));
                QVERIFY(!openTokenizer(bad));
            }
        }
    }

    void cutFilesAreRefused() {
        const std::string whole = makeTinyModel({}).bytes, path = folder_.path("cut.gguf");
        for (size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
            QVERIFY(write(path, whole.substr(0, size)));
            const Result<std::unique_ptr<Session>> session = openSession(at(path));
            QVERIFY2(!session, qPrintable(QString::number(size)));
            checkParts(session.error());
        }
    }

    void aMissingTensorIsNamed() {
        TinyModelOptions tiny;
        tiny.skipTensor = "blk.1.attn_k.weight";
        const std::string path = folder_.save(tiny);
        const Result<std::unique_ptr<Session>> session = openSession(at(path));
        QVERIFY(!session);
        QVERIFY2(session.error().line().find("blk.1.attn_k.weight") != std::string::npos,
                 session.error().line().c_str());
        const Result<ModelInfo> info = inspectModel(at(path));
        QVERIFY(info.ok());
        QCOMPARE(info->problems.size(), size_t(1));
        QVERIFY(info->problems.front().line().find("blk.1.attn_k.weight") != std::string::npos);
        QCOMPARE(info->layers, tiny.layers); // as the file states it
    }

    void anUnknownFamilyIsDescribed() {
        std::string bytes = makeTinyModel({}).bytes;
        for (size_t at = 0; (at = bytes.find("llama", at)) != std::string::npos; at += 5) bytes.replace(at, 5, "lamma");
        const std::string path = folder_.path("lamma.gguf");
        QVERIFY(write(path, bytes));
        QCOMPARE(kindOf(at(path)), ErrorKind::Unsupported);
        const Result<ModelInfo> info = inspectModel(at(path));
        QVERIFY(info.ok());
        QCOMPARE(info->architecture, std::string("lamma"));
        QCOMPARE(info->layers, 2);
        QCOMPARE(info->vocabulary, 300);
        QCOMPARE(info->problems.size(), size_t(1));
        QVERIFY(info->problems.front().line().find("lamma") != std::string::npos);
        QCOMPARE(info->memory.context, 0); // no plan for what can't run
    }

    /// Dynamic quantisations: a file's type names the format of most weights, others are in what fits them.
    void aFileMayHoldMoreFormatsThanItsTypeNames() {
        for (const char* architecture : {"llama", "qwen3moe"}) {
            TinyModelOptions tiny = inFormat({.architecture = architecture}, TensorType::Q4_K);
            tiny.extraKeys = [](GgufWriter& writer) { writer.u32("general.file_type", kQ4KM); };
            tiny.typeOf = [](const std::string& name) {
                if (name.starts_with("token_embd")) return TensorType::IQ3_S;
                if (name.starts_with("blk.1.ffn_down")) return TensorType::IQ3_S;
                if (name.starts_with("blk.1.ffn_gate.")) return TensorType::IQ2_XS;
                return name.find("attn_v") != std::string::npos ? TensorType::Q6_K : TensorType::Q4_K;
            };
            const std::string path = folder_.save(tiny);
            QVERIFY(inspectModel(at(path))->problems.empty());
            const auto session = openTiny(path);
            QVERIFY(session);
            QCOMPARE(session->info().quantisation, std::string("Q4_K"));
            const std::vector<Message> talk{Message::text(Role::User, "Hi")};
            const auto answer = session->chat(talk, greedy(8), {});
            QVERIFY2(answer.ok(), answer ? "" : answer.error().line().c_str());
            QCOMPARE(answer->statistics.generated, 8);
        }
    }

    /// The refusal also names a type of files that opens, which is another one than the file's own.
    void aFormatThatIsMissingIsNamed_data() {
        QTest::addColumn<uint32_t>("format");
        QTest::addColumn<uint32_t>("fileType");
        QTest::addColumn<std::string>("named");
        QTest::addColumn<std::string>("advised");
        QTest::newRow("TQ1_0") << 34u << 36u << std::string("TQ1_0") << std::string("of the type Q4_K_M");
        QTest::newRow("NVFP4") << 40u << 39u << std::string("NVFP4") << std::string("of the type Q4_K_M");
        QTest::newRow("in Q4_K_M") << 40u << kQ4KM << std::string("NVFP4") << std::string("of the type Q8_0");
        QTest::newRow("without a name") << 77u << 0u << std::string("type 77") << std::string("of the type Q4_K_M");
    }
    void aFormatThatIsMissingIsNamed() {
        QFETCH(uint32_t, format);
        QFETCH(uint32_t, fileType);
        QFETCH(std::string, named);
        QFETCH(std::string, advised);
        TinyModelOptions tiny;
        tiny.skipTensor = "blk.1.ffn_up.weight";
        tiny.extraKeys = [&](GgufWriter& writer) {
            const auto columns = static_cast<uint64_t>(tiny.width), rows = static_cast<uint64_t>(tiny.feedForward);
            writer.u32("general.file_type", fileType);
            writer.tensor(tiny.skipTensor, {columns, rows}, format, std::string(64, 'x'));
        };
        const std::string path = folder_.save(tiny);
        const auto session = openSession(at(path));
        QVERIFY(!session);
        QCOMPARE(session.error().kind, ErrorKind::Unsupported);
        const std::vector<Error> problems = inspectModel(at(path))->problems;
        QCOMPARE(problems.size(), size_t{1});
        for (const std::string& line : {session.error().line(), problems.front().line()})
            for (const std::string& said : {named, tiny.skipTensor, advised, std::string("IQ3_S")})
                QVERIFY2(line.find(said) != std::string::npos, line.c_str());
    }

    void aPartThatReadsPicturesIsRefusedAsOne() {
        GgufWriter writer;
        writer.string("general.architecture", "clip").boolean("clip.has_vision_encoder", true);
        writer.tensor("v.post_ln.weight", {32}, 0, floatBytes(std::vector<float>(32, 1.0f)));
        const std::string path = folder_.path("mmproj.gguf");
        QVERIFY(write(path, writer.bytes()));
        const Result<std::unique_ptr<Session>> session = openSession(at(path));
        QVERIFY(!session);
        QCOMPARE(session.error().kind, ErrorKind::Unsupported);
        QVERIFY2(session.error().line().find("could see images") != std::string::npos, session.error().line().c_str());
        const Result<ModelInfo> info = inspectModel(at(path));
        QVERIFY(info.ok() && !info->problems.empty());
        QVERIFY(info->problems.front().line().find("could see images") != std::string::npos);
    }

    /// The file opens and answers, and both ways of asking say what is wrong with it.
    void wrongTokenIdsAreNotes() {
        TinyModelOptions tiny;
        tiny.extraKeys = [](GgufWriter& writer) { writer.string("tokenizer.ggml.eot_token_id", "<|im_end|>"); };
        std::string bytes = makeTinyModel(tiny).bytes;
        const std::string key = "tokenizer.ggml.eos_token_id";
        bytes[bytes.find(key) + key.size() + 6] = 2; // 65536 more, behind the type
        const std::string path = folder_.path("ids.gguf");
        QVERIFY(write(path, bytes));
        const auto session = openTiny(path);
        QVERIFY(session);
        const auto told = [](const ModelInfo& info, const char* words) {
            return std::count_if(info.notes.begin(), info.notes.end(), [words](const Sentence& note) {
                return note.english().find(words) != std::string::npos;
            });
        };
        const Result<ModelInfo> inspected = inspectModel(at(path));
        for (const ModelInfo* info : {&session->info(), &inspected.value()}) {
            QCOMPARE(told(*info, "eos_token_id is not one of the 300 tokens"), 1);
            QCOMPARE(told(*info, "eot_token_id is not one of the 300 tokens"), 1);
            QCOMPARE(told(*info, "no place for tools"), 1); // the template's note stands beside them
        }
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        QVERIFY(session->chat(talk, greedy(4), {}).ok());
    }

    void aBadTemplateIsANote() {
        TinyModelOptions tiny;
        tiny.chatTemplate = "{% if %}";
        const std::string path = folder_.save(tiny);
        const auto session = openTiny(path);
        QVERIFY(session);
        QCOMPARE(session->info().turns, Turns::ChatMl);
        const auto told = [](const ModelInfo& info) {
            return std::any_of(info.notes.begin(), info.notes.end(), [](const Sentence& note) {
                return note.english().find("template can't be used") != std::string::npos;
            });
        };
        QVERIFY(told(session->info()) && told(inspectModel(at(path)).value()));
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        QVERIFY(session->chat(talk, greedy(4), {}).ok());
    }

    /// The file has no template, so its model continues a text; the family's call in that text is one all the same.
    void aFamilysCallIsHeardWithoutTurns() {
        TinyModelOptions tiny;
        tiny.chatTemplate = "";
        std::string bytes = makeTinyModel(tiny).bytes;
        const std::string other = "<|im_start|>", opens = "[TOOL_CALLS]"; // Mistral's files are llama's
        bytes.replace(bytes.find(other), other.size(), opens);
        QVERIFY(write(folder_.path("mistral.gguf"), bytes));
        const auto session = openTiny(folder_.path("mistral.gguf"));
        QVERIFY(session);
        QCOMPARE(session->info().turns, Turns::Plain);
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        GenerateOptions options = greedy(0);
        options.prefix =
            session->tokenizer().encode(opens + R"([{"name":"get_time","arguments":{"zone":"UTC"}}])", true);
        const std::string words = R"([{"name":"get_time","arguments":{"zone":"UTC"}}])";
        QCOMPARE(session->chat(talk, options, {})->parts, std::vector<Part>{{.text = words}}); // no tool is offered
        options.prompt.tools = R"([{"name":"get_time"}])";
        const std::vector<ToolCall> calls = session->chat(talk, options, {})->toolCalls();
        QCOMPARE(calls, (std::vector<ToolCall>{{"get_time", R"({"zone":"UTC"})", ""}}));
    }

    /// Each answer says so, because tools are offered answer by answer.
    void toolsThatTheTemplateLeavesOutAreSaid() {
        const std::string turns = "{% for m in messages %}{{ m.content }}{% endfor %}";
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        for (const bool shown : {false, true}) {
            TinyModelOptions tiny;
            tiny.chatTemplate = (shown ? "{% if tools %}{{ tools | tojson }}{% endif %}" : "") + turns;
            const auto session = openTiny(folder_.save(tiny));
            QVERIFY(session);
            GenerateOptions options = greedy(2);
            QVERIFY(session->chat(talk, options, {})->notes.empty());
            options.prompt.tools =
                R"([{"type":"function","function":{"name":"get_time","description":"Tells the time"}}])";
            const std::vector<Sentence> notes = session->chat(talk, options, {})->notes;
            QCOMPARE(notes.size(), size_t{shown ? 0u : 1u});
            QVERIFY(shown || notes.front().english().find("did not reach the model") != std::string::npos);
        }
    }

    void bosStandsOnceWhoeverWritesIt() {
        const std::string plain = "{% for m in messages %}{{ m.content }}{% endfor %}";
        const std::vector<Message> talk{Message::text(Role::User, "Hi")};
        for (const bool asked : {false, true})
            for (const bool written : {false, true}) {
                TinyModelOptions tiny;
                tiny.chatTemplate = (written ? "{{ bos_token }}" : "") + plain;
                std::string bytes = makeTinyModel(tiny).bytes;
                const std::string key = "tokenizer.ggml.add_bos_token";
                bytes[bytes.find(key) + key.size() + 4] = asked; // behind the type
                QVERIFY(write(folder_.path("bos.gguf"), bytes));
                const auto session = openTiny(folder_.path("bos.gguf"));
                QVERIFY(session);
                const std::vector<TokenId> tokens = session->promptTokens(talk, {}).value();
                const auto count = std::count(tokens.begin(), tokens.end(), *session->tokenizer().beginning());
                QCOMPARE(int(count), asked || written ? 1 : 0);
                QCOMPARE(tokens.front() == *session->tokenizer().beginning(), asked || written);
            }
    }

    void theVocabularyAloneOpens() {
        const Result<std::unique_ptr<Tokenizer>> tokenizer = openTokenizer(folder_.save({}));
        QVERIFY(tokenizer.ok());
        QCOMPARE(tokenizer.value()->vocabularySize(), 300);
        std::string text;
        for (const TokenId token : tokenizer.value()->encode("Hello there", false))
            text += tokenizer.value()->decode(token);
        QCOMPARE(text, std::string("Hello there"));
    }

    void eachCallThatFailsIsAnError() {
        TinyModelOptions tiny;
        tiny.architecture = "smallthinker";
        ModelFolder folder; // with no other file
        const std::string path = folder.save(tiny);
        int failures = 0, opened = 0;
        for (int64_t n = 1;; ++n) {
            FaultyFiles files;
            files.failCall(n);
            OpenOptions options = at(path);
            options.files = &files;
            options.experts.prefetch = false; // idle fills after opening would fail silently
            const Result<std::unique_ptr<Session>> session = openSession(options);
            if (!files.fired()) {
                QVERIFY(session.ok());
                break;
            }
            if (session) { // the list of the folder: all that is lost is a sentence about images
                QVERIFY2(++opened == 1, qPrintable(QString::number(n)));
                continue;
            }
            QCOMPARE(session.error().kind, ErrorKind::Io);
            ++failures;
        }
        QVERIFY(failures >= 3);
    }
};

QTEST_APPLESS_MAIN(TestOpenSession)
#include "tst_open_session.moc"
