#include "cuda/runtime/device_selection.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace cuzk::cuda {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string what_there_is(std::span<const DeviceInfo> devices) {
  std::string out = "there " + std::string(devices.size() == 1 ? "is" : "are");
  for (const DeviceInfo& device : devices) {
    out += (&device == devices.data() ? " " : ", ") + device.label() + " " + device.uuid;
  }
  return out;
}

Result<std::vector<DeviceInfo>> all_usable(std::span<const DeviceInfo> devices,
                                           const std::function<void(DeviceInfo&)>& probe, std::size_t most) {
  std::vector<DeviceInfo> usable;
  std::string reasons;
  for (DeviceInfo device : devices) {
    if (usable.size() == most) break;
    if (device.usable()) probe(device);
    if (device.usable()) {
      usable.push_back(device);
    } else {
      reasons += (reasons.empty() ? "" : "; ") + device.label() + ": " + device.unusable_because;
    }
  }
  if (usable.empty())
    return unavailable("no GPU can be used: " + (reasons.empty() ? "there is none" : reasons));
  return usable;
}

Result<DeviceInfo> by_index(std::string_view text, std::span<const DeviceInfo> devices) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) {
    return invalid_argument("the GPU " + quoted(text) +
                            " is neither a number nor a UUID beginning with \"GPU-\"");
  }
  if (index >= devices.size()) {
    return unavailable("GPU " + std::string(text) + " does not exist: " + what_there_is(devices));
  }
  return devices[index];
}

Result<DeviceInfo> by_uuid(std::string_view text, std::span<const DeviceInfo> devices) {
  const std::string prefix = lower_case(text);
  const DeviceInfo* found = nullptr;
  for (const DeviceInfo& device : devices) {
    if (!lower_case(device.uuid).starts_with(prefix)) continue;
    if (found != nullptr) {
      return invalid_argument(quoted(text) + " fits more than one GPU: " + found->uuid + " and " +
                              device.uuid);
    }
    found = &device;
  }
  if (found == nullptr)
    return unavailable("no GPU has the UUID " + quoted(text) + ": " + what_there_is(devices));
  return *found;
}

}  // namespace

Result<std::vector<DeviceInfo>> select_devices(std::string_view selection,
                                               std::span<const DeviceInfo> devices,
                                               const std::function<void(DeviceInfo&)>& probe,
                                               std::size_t most) {
  if (trimmed(selection) == "all") return all_usable(devices, probe, most);
  std::vector<DeviceInfo> selected;
  for (std::size_t begin = 0; begin <= selection.size();) {
    const std::size_t end = std::min(selection.find(',', begin), selection.size());
    const std::string_view item = trimmed(selection.substr(begin, end - begin));
    begin = end + 1;
    if (item.empty()) {
      return invalid_argument("the selection of GPUs " + quoted(selection) +
                              " names none between two commas; \"all\", indices and UUIDs are allowed");
    }
    CUZK_ASSIGN(DeviceInfo device,
                lower_case(item).starts_with("gpu-") ? by_uuid(item, devices) : by_index(item, devices));
    const bool twice = std::any_of(selected.begin(), selected.end(),
                                   [&](const DeviceInfo& other) { return other.index == device.index; });
    if (twice) return invalid_argument(device.label() + " is named twice in " + quoted(selection));
    if (selected.size() == most) {
      return invalid_argument(quoted(selection) + " names more than the " + std::to_string(most) +
                              (most == 1 ? " GPU" : " GPUs") + " that can be used here");
    }
    if (device.usable()) probe(device);
    if (!device.usable()) return unavailable(device.label() + ": " + device.unusable_because);
    selected.push_back(device);
  }
  return selected;
}

Result<std::vector<DeviceInfo>> select_devices(std::string_view selection, std::size_t most) {
  CUZK_ASSIGN(const std::vector<DeviceInfo> devices, visible_devices());
  return select_devices(selection, devices, probe_device, most);
}

}  // namespace cuzk::cuda
