// SPDX-License-Identifier: Apache-2.0
#include "models/device_list.h"

#include "base/mutex.h"
#include "common/error_info.h"

#include <optional>
#include <utility>

namespace coterie::app {
namespace {

/// A list that is made once, whoever asks first.
class ListOnce {
  public:
    explicit ListOnce(std::function<std::vector<engine::DeviceInfo>()> list) : list_(std::move(list)) {}
    std::vector<engine::DeviceInfo> operator()() {
        const engine::MutexLock lock(mutex_);
        if (!devices_) devices_ = list_();
        return *devices_;
    }

  private:
    engine::Mutex mutex_;
    const std::function<std::vector<engine::DeviceInfo>()> list_;
    std::optional<std::vector<engine::DeviceInfo>> devices_ COTERIE_GUARDED_BY(mutex_);
};

engine::DeviceFactory listedOnce(engine::DeviceFactory factory) {
    if (factory.list) factory.list = [once = std::make_shared<ListOnce>(std::move(factory.list))] { return (*once)(); };
    return factory;
}

} // namespace

DeviceList::DeviceList(const engine::DeviceFactory& factory, QObject* parent)
    : QObject(parent), factory_(listedOnce(factory)), thread_(QStringLiteral("devices")) {}

void DeviceList::look() {
    if (asked_ || !offered()) return;
    asked_ = looking_ = true;
    Q_EMIT changed();
    thread_.push([this, factory = factory_] {
        std::vector<engine::DeviceInfo> found = engine::listDevices(factory);
        found.erase(found.begin()); // the CPU
        toGui_.push([this, found = std::move(found)] {
            found_ = found;
            looking_ = false;
            Q_EMIT changed();
        });
    });
}

QVariantList DeviceList::devices() const {
    QVariantList all;
    const auto add = [&all](const QString& name, const QString& title, const QString& note, bool usable) {
        all.append(QVariantMap{{QStringLiteral("name"), name},
                               {QStringLiteral("title"), title},
                               {QStringLiteral("note"), note},
                               {QStringLiteral("usable"), usable}});
    };
    add(QStringLiteral("cpu"), tr("Processor"), QString(), true);
    for (const engine::DeviceInfo& device : found_) {
        const QString passed =
            device.simulated
                ? tr("This is no graphics processor: a driver imitates one on the processor, and is slower than it.")
                : tr("It passed its self-test. Whether it is faster than the processor, nothing has measured.");
        add(QString::fromStdString(device.name), QString::fromStdString(device.description),
            device.usable() ? passed : shownText(device.problem), device.usable());
    }
    return all;
}

} // namespace coterie::app
