// What the program says about the GPUs of a machine, on the host: which are selected, why one cannot be used, what is short.
#include <gtest/gtest.h>

#include "cuda/runtime/cuda_error.h"
#include "cuda/runtime/device_errors.h"
#include "cuda/runtime/device_selection.h"
#include "cuda/runtime/memory_text.h"

namespace cuzk::cuda {
namespace {

DeviceInfo gpu(int index, const std::string& uuid) {
  DeviceInfo device;
  device.index = index;
  device.name = "Test " + std::to_string(index);
  device.uuid = uuid;
  device.compute_major = 7;
  device.compute_minor = 0;
  return device;
}

const std::vector<DeviceInfo> kThree = {gpu(0, "GPU-11112222-3333-4444-5555-666677778888"),
                                        gpu(1, "GPU-1111aaaa-3333-4444-5555-666677778888"),
                                        gpu(2, "GPU-bbbb0000-3333-4444-5555-666677778888")};

// The indices selected, "0 2", or the error. GPU 1 fails its probe if `one_fails`; `probed` counts.
std::string selected(const std::string& selection, bool one_fails = false, int* probed = nullptr) {
  const auto probe = [&](DeviceInfo& device) {
    if (probed != nullptr) ++*probed;
    if (one_fails && device.index == 1) device.unusable_because = "it is broken";
  };
  const auto devices = select_devices(selection, kThree, probe);
  if (!devices.is_ok()) return devices.status().to_string();
  std::string out;
  for (const DeviceInfo& device : devices.value())
    out += (out.empty() ? "" : " ") + std::to_string(device.index);
  return out;
}

void expect_says(const std::string& text, std::initializer_list<std::string> words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << text << " / " << word;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(DeviceSelection, ByIndexUuidAndAll) {
  EXPECT_EQ(selected("all"), "0 1 2");
  EXPECT_EQ(selected("1"), "1");
  EXPECT_EQ(selected("2,0"), "2 0");
  EXPECT_EQ(selected(" 2 , 0 "), "2 0");
  EXPECT_EQ(selected("GPU-bbbb"), "2");
  EXPECT_EQ(selected("gpu-BBBB0000-3333,1"), "2 1");
  EXPECT_EQ(selected("GPU-11112222-3333-4444-5555-666677778888"), "0");
}

TEST(DeviceSelection, RefusesWithTheReason) {
  for (const char* bad : {"", ",", "0,", ",0", "0,,1", " "}) expect_says(selected(bad), {"invalid_argument"});
  expect_says(selected("H200"), {"invalid_argument", "\"H200\""});
  expect_says(selected("-1"), {"invalid_argument", "\"-1\""});
  expect_says(selected("0x"), {"invalid_argument", "\"0x\""});
  expect_says(selected("99999999999999999999"), {"invalid_argument"});
  expect_says(selected("0,0"), {"invalid_argument", "GPU 0 (Test 0)", "twice"});
  expect_says(selected("2,GPU-bb"), {"invalid_argument", "twice"});
  expect_says(selected("GPU-1111"), {"invalid_argument", kThree[0].uuid, kThree[1].uuid});
  expect_says(selected("3"), {"unavailable", "GPU 3 does not exist", kThree[2].uuid});
  expect_says(selected("GPU-cccc"), {"unavailable", "GPU-cccc", kThree[0].uuid});
}

TEST(DeviceSelection, LeavesOutOrNamesAGpuThatCannotBeUsed) {
  EXPECT_EQ(selected("all", true), "0 2");
  EXPECT_EQ(selected("0,2", true), "0 2");
  expect_says(selected("0,1", true), {"unavailable", "GPU 1 (Test 1)", "it is broken"});
  const auto none = select_devices("all", std::span(kThree).subspan(1, 1),
                                   [](DeviceInfo& device) { device.unusable_because = "it is broken"; });
  expect_says(none.status().to_string(), {"unavailable", "GPU 1 (Test 1): it is broken"});
  expect_says(select_devices("all", {}, [](DeviceInfo&) {}).status().to_string(), {"unavailable", "none"});
}

TEST(DeviceSelection, TouchesNoGpuThatIsNotNamed) {
  int probed = 0;
  EXPECT_EQ(selected("1", false, &probed), "1");
  EXPECT_EQ(probed, 1);
  const auto probe = [&](DeviceInfo&) { ++probed; };
  const auto first = select_devices("all", kThree, probe, 1);
  ASSERT_TRUE(first.is_ok());
  EXPECT_EQ(first.value().size(), 1u);
  EXPECT_EQ(probed, 2);
  expect_says(select_devices("0,2", kThree, probe, 1).status().to_string(),
              {"invalid_argument", "more than the 1 GPU"});
}

TEST(DeviceErrors, SayWhyThereIsNoGpu) {
  expect_says(no_devices_because(cudaErrorInsufficientDriver, 0, nullptr), {"no NVIDIA driver is installed"});
  expect_says(no_devices_because(cudaErrorInsufficientDriver, 0, ""), {"no NVIDIA driver is installed"});
  expect_says(no_devices_because(cudaErrorInsufficientDriver, 12040, nullptr), {"CUDA 12.4", "needs 13."});
  expect_says(no_devices_because(cudaErrorNoDevice, 13000, ""), {"CUDA_VISIBLE_DEVICES is \"\""});
  expect_says(no_devices_because(cudaErrorNoDevice, 13000, "7"), {"CUDA_VISIBLE_DEVICES is \"7\""});
  expect_says(no_devices_because(cudaErrorInvalidDevice, 13000, "GPU-x"),
              {"CUDA_VISIBLE_DEVICES is \"GPU-x\""});
  expect_says(no_devices_because(cudaErrorNoDevice, 13000, nullptr), {"the driver finds none"});
  expect_says(no_devices_because(cudaErrorSystemNotReady, 13000, nullptr), {"cudaErrorSystemNotReady"});
}

TEST(DeviceErrors, SayWhyAGpuCannotBeUsed) {
  const DeviceInfo& volta = kThree[0];
  for (const cudaError_t error :
       {cudaErrorNoKernelImageForDevice, cudaErrorUnsupportedPtxVersion, cudaErrorJitCompilationDisabled}) {
    expect_says(unusable_because(error, volta, "90,100"),
                {"compute capability 7.0", "9.0, 10.0", "-DCUZK_CUDA_ARCHITECTURES=70"});
  }
  expect_says(unusable_because(cudaErrorNoKernelImageForDevice, volta, "90a"), {"only for 9.0a"});
  expect_says(unusable_because(cudaErrorDevicesUnavailable, volta, "90"), {"another process"});
  expect_says(unusable_because(cudaErrorMemoryAllocation, volta, "90"), {"memory"});
  expect_says(unusable_because(cudaErrorECCUncorrectable, volta, "90"), {"cudaErrorECCUncorrectable"});
}

TEST(CudaErrors, StickyOnesRetireTheGpu) {
  for (const cudaError_t error : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorMisalignedAddress,
                                  cudaErrorECCUncorrectable, cudaErrorUnknown}) {
    EXPECT_TRUE(CudaError::is_sticky(error)) << cudaGetErrorName(error);
  }
  for (const cudaError_t error : {cudaErrorMemoryAllocation, cudaErrorInvalidValue, cudaErrorNotReady,
                                  cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources}) {
    EXPECT_FALSE(CudaError::is_sticky(error)) << cudaGetErrorName(error);
  }
}

TEST(MemoryText, NeededAndFree) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(999'999), "999999 bytes");
  EXPECT_EQ(readable_bytes(1'000'000), "1.00 MB");
  EXPECT_EQ(readable_bytes(76'520'000'000), "76.52 GB");
  EXPECT_EQ(shortage_text(76'520'000'000, 1'500'000'000, 150'754'820'096, "GPU 0 (NVIDIA H200)"),
            "needs 76.52 GB, 1.50 GB free of 150.75 GB on GPU 0 (NVIDIA H200)");
  EXPECT_EQ(shortage_text(0, 0, 1'000'000, "GPU 0"),
            "the driver needs more, 0 bytes free of 1.00 MB on GPU 0");
}

}  // namespace
}  // namespace cuzk::cuda
