// SPDX-License-Identifier: Apache-2.0
// llama.cpp's probabilities after each wanted position of a token sequence, through its released CPU build.
//   node probabilities.mjs MODEL TOKENS.json OUT.f32 [--context N] [--kv f16|f32|q8_0] [--set KEY=VALUE ...]
// TOKENS.json: {"tokens": [...], "positions": [...]} as coterie-cli logits takes it; OUT.f32: little-endian float32,
// positions x vocabulary. --set replaces a key of the file ("llama.rope.scaling.factor=4").
import {readFileSync, writeFileSync} from "node:fs";
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const [modelPath, tokensPath, outPath, ...rest] = process.argv.slice(2);
const options = {context: 0, kv: "f16", metadata: {}};
for (let i = 0; i < rest.length; i += 2) {
    if (rest[i] === "--context") options.context = Number(rest[i + 1]);
    else if (rest[i] === "--kv") options.kv = rest[i + 1];
    else if (rest[i] === "--set") setKey(options.metadata, ...rest[i + 1].split("="));
    else throw new Error(`unknown option ${rest[i]}`);
}

function setKey(root, key, text) {
    const path = key.split(".");
    const last = path.pop();
    let at = root;
    for (const part of path) at = at[part] ??= {};
    if (text === "true" || text === "false") at[last] = text === "true";
    else if (/^-?\d+$/.test(text)) at[last] = BigInt(text);
    // A whole number would go as an integer; this is the same in float32.
    else if (/^-?\d*\.\d+$/.test(text)) at[last] = Number(text) * (1 + 2 ** -40);
    else at[last] = text;
}

const {tokens, positions} = JSON.parse(readFileSync(tokensPath, "utf8"));
const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.error, maxThreads: 2});
const model = await llama.loadModel({modelPath, gpuLayers: 0, metadataOverrides: options.metadata,
    ignoreMemorySafetyChecks: true});
const format = options.kv.toUpperCase();
const context = await model.createContext({contextSize: options.context || Math.max(512, tokens.length + 8),
    batchSize: 512, threads: 2, sequences: 1, flashAttention: format === "Q8_0", swaFullCache: true,
    experimentalKvCacheKeyType: format, experimentalKvCacheValueType: format, ignoreMemorySafetyChecks: true});
const wanted = new Set(positions);
const input = tokens.map((token, i) => wanted.has(i)
    ? [token, {generateNext: {probabilities: true, options: {temperature: 1, topK: 0, topP: 1, minP: 0}}}]
    : token);
const found = new Map();
await context.getSequence().controlledEvaluate(input, {
    onTokenResult: (index, result) => found.set(index, result.next.probabilities)
});
const vocabulary = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
const out = new Float32Array(positions.length * vocabulary);
positions.forEach((position, row) => {
    for (const [token, probability] of found.get(position)) out[row * vocabulary + token] = probability;
});
writeFileSync(outPath, out);
console.log(JSON.stringify({engine: `llama.cpp ${llama.llamaCppRelease?.release ?? ""}`, context: context.contextSize,
    positions: positions.length, vocabulary}));
process.exit(0);
