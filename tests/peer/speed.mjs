// SPDX-License-Identifier: Apache-2.0
// One measurement of llama.cpp's speed, through its released CPU build: opening, reading a prompt, generating greedily.
//   node speed.mjs MODEL --prompt-tokens N --generate N --threads N      prints one object of JSON
import {parseArgs} from "node:util";
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const {values, positionals} = parseArgs({allowPositionals: true, options: {
    "prompt-tokens": {type: "string"}, "generate": {type: "string"}, "threads": {type: "string"}}});
const [promptTokens, generate, threads] = ["prompt-tokens", "generate", "threads"].map(name => Number(values[name]));
const secondsSince = start => (performance.now() - start) / 1000;

let start = performance.now();
const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.error, maxThreads: threads});
const model = await llama.loadModel({modelPath: positionals[0], gpuLayers: 0, ignoreMemorySafetyChecks: true});
const loadSeconds = secondsSince(start);
const context = await model.createContext({contextSize: promptTokens + generate + 64, batchSize: 512, threads,
    sequences: 1, ignoreMemorySafetyChecks: true});
const sequence = context.getSequence();

// The same ids as coterie-cli bench takes: below 500, in no order that a cache could learn.
const prompt = Array.from({length: promptTokens}, (_, i) => (i * 7919 + 13) % 500);
start = performance.now();
await sequence.evaluateWithoutGeneratingNewTokens(prompt);
const prefillSeconds = secondsSince(start);

let generated = 0, first = 0;
start = performance.now();
for await (const _ of sequence.evaluate([17], {temperature: 0, yieldEogToken: true})) {
    if (++generated === 1) first = performance.now(); // the first one is not decoded alone: it ends the prompt
    if (generated > generate) break;
}
const decodeSeconds = (performance.now() - first) / 1000;
console.log(JSON.stringify({
    engine: `llama.cpp ${llama.llamaCppRelease?.release ?? ""}`.trim(), load_s: loadSeconds,
    first_token_s: loadSeconds + prefillSeconds, prefill_tps: promptTokens / prefillSeconds,
    decode_tps: (generated - 1) / decodeSeconds, peak_rss: process.resourceUsage().maxRSS * 1024}));
process.exit(0);
