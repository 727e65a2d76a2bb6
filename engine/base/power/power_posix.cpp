// SPDX-License-Identifier: Apache-2.0
// macOS's battery figures (untested: no such machine builds this yet). Linux's are in power_linux.cpp.
#include "base/power/power.h"

#ifdef __linux__
#include "base/power/power_linux.h"
#elif defined(__APPLE__)
#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/ps/IOPSKeys.h>
#include <IOKit/ps/IOPowerSources.h>

#include <memory>
#include <type_traits>
#endif

namespace coterie::engine {

#ifdef __linux__

PowerReading readPower() { return readLinuxPower("/sys/class/power_supply"); }

#elif defined(__APPLE__)

namespace {

struct Release {
    void operator()(CFTypeRef object) const { CFRelease(object); }
};
template <typename Ref>
using Owned = std::unique_ptr<std::remove_pointer_t<Ref>, Release>;

bool isText(CFTypeRef value, CFStringRef text) {
    return value != nullptr && CFGetTypeID(value) == CFStringGetTypeID() && CFEqual(value, text);
}

std::optional<double> numberOf(CFTypeRef value) {
    double number = 0;
    if (value == nullptr || CFGetTypeID(value) != CFNumberGetTypeID() ||
        !CFNumberGetValue(static_cast<CFNumberRef>(value), kCFNumberDoubleType, &number))
        return std::nullopt;
    return number;
}

} // namespace

PowerReading readPower() {
    PowerReading reading;
    const Owned<CFTypeRef> sources(IOPSCopyPowerSourcesInfo());
    if (!sources) return reading;
    reading.onBattery = isText(IOPSGetProvidingPowerSourceType(sources.get()), CFSTR(kIOPSBatteryPowerValue));
    const Owned<CFArrayRef> list(IOPSCopyPowerSourcesList(sources.get()));
    for (CFIndex i = 0; list && i < CFArrayGetCount(list.get()); ++i) {
        const CFDictionaryRef source =
            IOPSGetPowerSourceDescription(sources.get(), CFArrayGetValueAtIndex(list.get(), i));
        if (source == nullptr) continue;
        if (!isText(CFDictionaryGetValue(source, CFSTR(kIOPSTypeKey)), CFSTR(kIOPSInternalBatteryType))) continue;
        const auto now = numberOf(CFDictionaryGetValue(source, CFSTR(kIOPSCurrentCapacityKey)));
        const auto full = numberOf(CFDictionaryGetValue(source, CFSTR(kIOPSMaxCapacityKey)));
        if (now && full && *full > 0) reading.charge = *now / *full; // such machines have one
    }
    return reading;
}

#else

PowerReading readPower() { return {}; }

#endif

} // namespace coterie::engine
