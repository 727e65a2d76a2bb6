// SPDX-License-Identifier: Apache-2.0
// See power_linux.h. Formats: the kernel's Documentation/ABI/testing/sysfs-class-power.
#include "base/power/power_linux.h"

#ifdef __linux__

#include "base/kernel_text.h"

#include <algorithm>
#include <dirent.h>
#include <vector>

namespace coterie::engine {

namespace {

struct Battery {
    double share = 0; ///< 0..1 of its capacity
    double size = 0;  ///< capacity, in the unit of its driver; 0 if it is not reported
};

/// The figures of all supplies together.
struct Supplies {
    bool mainsOn = false, mainsOff = false; ///< there is an adapter that is plugged in; there is one that is not
    bool discharging = false;
    std::vector<Battery> batteries; ///< those that report how full they are
};

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    if (DIR* opened = ::opendir(folder.c_str())) {
        // This thread alone reads this stream, for which readdir() is safe.
        while (const dirent* entry = ::readdir(opened)) // NOLINT(concurrency-mt-unsafe)
            if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
        ::closedir(opened);
    }
    return names;
}

/// The files of one supply.
class Supply {
  public:
    explicit Supply(std::string folder) : folder_(std::move(folder)) {}

    /// Reads a word without the line's end; empty if there is no such file.
    std::string word(const char* name) const {
        std::string text = readKernelText(folder_ + "/" + name);
        text.resize(std::min(text.find('\n'), text.size()));
        return text;
    }
    std::optional<double> number(const char* name) const {
        const std::optional<uint64_t> value = leadingNumber(readKernelText(folder_ + "/" + name));
        return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
    }

  private:
    std::string folder_;
};

/// Drivers count energy (uWh) or charge (uAh); nearly all give the percentage too.
std::optional<Battery> batteryOf(const Supply& supply) {
    std::optional<double> full = supply.number("energy_full"), now = supply.number("energy_now");
    if (!full) {
        full = supply.number("charge_full");
        now = supply.number("charge_now");
    }
    Battery battery{.size = full.value_or(0)};
    if (const std::optional<double> percent = supply.number("capacity"))
        battery.share = *percent / 100;
    else if (now && battery.size > 0)
        battery.share = *now / battery.size;
    else
        return std::nullopt;
    battery.share = std::min(battery.share, 1.0); // some report more when they have just been charged
    return battery;
}

void add(const Supply& supply, Supplies& all) {
    if (supply.word("scope") == "Device")
        return; // it belongs to a mouse or a headset, which does not power this machine
    const std::string type = supply.word("type");
    if (type == "Battery" || type == "UPS") {
        if (supply.number("present") == 0.0) return; // an empty bay
        all.discharging |= supply.word("status") == "Discharging";
        if (const std::optional<Battery> battery = batteryOf(supply)) all.batteries.push_back(*battery);
    } else if (const std::optional<double> online = supply.number("online")) { // mains, USB, wireless
        (*online > 0 ? all.mainsOn : all.mainsOff) = true;
    }
}

std::optional<double> chargeOf(const std::vector<Battery>& batteries) {
    if (batteries.empty()) return std::nullopt;
    const bool sized = std::all_of(batteries.begin(), batteries.end(), [](const Battery& b) { return b.size > 0; });
    double held = 0, room = 0;
    for (const Battery& battery : batteries) {
        const double size = sized ? battery.size : 1;
        held += battery.share * size;
        room += size;
    }
    return held / room;
}

} // namespace

PowerReading readLinuxPower(const std::string& supplies) {
    Supplies all;
    for (const std::string& name : namesIn(supplies)) add(Supply(supplies + "/" + name), all);
    PowerReading reading;
    reading.charge = chargeOf(all.batteries);
    // A battery may report "Unknown" while it is drained, and one of two may be idle while the other is drained.
    reading.onBattery = reading.charge.has_value() && !all.mainsOn && (all.discharging || all.mainsOff);
    return reading;
}

} // namespace coterie::engine

#endif
