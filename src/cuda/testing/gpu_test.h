// The fixture of tests that need a GPU.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <string>

#include "cuda/runtime/device_info.h"
#include "cuda/runtime/stream.h"
#include "cuda/testing/random_data.h"

namespace cuzk::cuda {

// Skips, with the reason, where no usable GPU is. Otherwise a test ends by proving that the device ran: the device's
// name is printed, and the events that it recorded around its work must have been reached.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto devices = visible_devices();
    if (!devices.is_ok()) GTEST_SKIP() << devices.status().message();
    DeviceInfo device = devices.value().front();
    probe_device(device);
    if (!device.usable()) GTEST_SKIP() << device.name << ": " << device.unusable_because;
    CUZK_CUDA_TRY(cudaSetDevice(device.index));
    stream_.emplace();
    timer_.emplace();
    timer_->start(stream_->get());
    name_ = device.name;
    std::printf("gpu: %s\n", name_.c_str());
  }
  void TearDown() override {
    if (!stream_) return;
    timer_->stop(stream_->get());
    stream_->synchronize();
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    ASSERT_GT(timer_->ms(), 0) << "no work reached the device";
    RecordProperty("gpu", name_);
  }

  cudaStream_t stream() const { return stream_->get(); }

 private:
  std::optional<Stream> stream_;
  std::optional<EventTimer> timer_;
  std::string name_;
};

}  // namespace cuzk::cuda
