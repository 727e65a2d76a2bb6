// SPDX-License-Identifier: Apache-2.0
// See promise.h.
#include "decoder/rates/promise.h"

namespace coterie::engine {
namespace {

using RateOf = double FormatRate::*;

/// Seconds of a token; nothing if a format has no rate above 0.
std::optional<double> secondsOf(const TokenWork& work, const DeviceRates& rates, RateOf rateOf) {
    double seconds = work.dispatches * rates.dispatchSeconds + work.submissions * rates.submissionSeconds;
    if (rates.downRate > 0) seconds += work.bytesDown / rates.downRate;
    for (const FormatBytes& part : work.weights) {
        const FormatRate* rate = rates.find(part.type);
        if (rate == nullptr || !(rate->*rateOf > 0)) return std::nullopt;
        seconds += part.bytes / (rate->*rateOf);
    }
    return seconds;
}

/// 0 if either is not known.
double timesAsFast(const std::optional<double>& device, const std::optional<double>& cpu) {
    return device && cpu && *device > 0 ? *cpu / *device : 0;
}

} // namespace

std::optional<TensorType> formatWithoutRate(const RatedWork& processor) {
    for (const FormatBytes& part : processor.work.answer.weights) {
        const FormatRate* rate = processor.rates.find(part.type);
        if (rate == nullptr || !(rate->answers > 0 && rate->prompts > 0)) return part.type;
    }
    return std::nullopt;
}

DevicePromise promiseOf(const RatedWork& device, const RatedWork& cpu) {
    const auto promise = [&](TokenWork ModelWork::*token, RateOf rate) {
        return timesAsFast(secondsOf(device.work.*token, device.rates, rate),
                           secondsOf(cpu.work.*token, cpu.rates, rate));
    };
    return {.answers = promise(&ModelWork::answer, &FormatRate::answers),
            .prompts = promise(&ModelWork::prompt, &FormatRate::prompts)};
}

} // namespace coterie::engine
