// SPDX-License-Identifier: Apache-2.0
// See power_linux.h. Formats: the kernel's Documentation/ABI/testing/sysfs-class-power.
#include "base/power_linux.h"

#ifdef __linux__

#include "base/kernel_text.h"

#include <algorithm>
#include <dirent.h>
#include <vector>

namespace coterie::engine {

namespace {

struct Battery {
    double share = 0; ///< 0..1 of what it holds when full
    double size = 0;  ///< what it holds when full, in the unit of its driver; 0: not said
};

/// What the supplies say, put together.
struct Supplies {
    bool mainsOn = false, mainsOff = false; ///< there is one that is plugged in, one that is not
    bool discharging = false;
    std::vector<Battery> batteries; ///< of those that say how full they are
};

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    if (DIR* opened = ::opendir(folder.c_str())) {
        while (const dirent* entry = ::readdir(opened))
            if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
        ::closedir(opened);
    }
    return names;
}

/// One supply's files.
class Supply {
  public:
    explicit Supply(std::string folder) : folder_(std::move(folder)) {}

    /// A word, without the line's end; empty where there is no such file.
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

/// Drivers count energy (uWh) or charge (uAh); nearly all give the percentage, too.
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
    battery.share = std::min(battery.share, 1.0); // some say more when they have just been filled
    return battery;
}

void add(const Supply& supply, Supplies& all) {
    if (supply.word("scope") == "Device") return; // of a mouse or a headset: this machine doesn't run on it
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
    // A battery may say "Unknown" while it is drained, and one of two may rest while the other is drained.
    reading.onBattery = reading.charge.has_value() && !all.mainsOn && (all.discharging || all.mainsOff);
    return reading;
}

} // namespace coterie::engine

#endif
