// What is said of a message before it is read must hold for what is read.
#include "server/received_message.h"

#include <cuzk/v1/proving.pb.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "server/proto_conversions.h"

namespace cuzk {
namespace {

grpc::ByteBuffer buffer_of(const std::string& bytes, std::size_t slice_size) {
  std::vector<grpc::Slice> slices;
  for (std::size_t i = 0; i < bytes.size(); i += slice_size) slices.emplace_back(bytes.substr(i, slice_size));
  return {slices.data(), slices.size()};
}

ReceivedMessage received(const std::string& bytes, std::size_t slice_size = 16'384) {
  grpc::ByteBuffer buffer = buffer_of(bytes, slice_size);
  ReceivedMessage message(buffer);
  EXPECT_EQ(buffer.Length(), 0u) << "gRPC still holds the bytes";
  return message;
}

v1::SubmitProofRequest request_of(int proofs, std::size_t size) {
  v1::SubmitProofRequest request;
  request.set_request_id("wdpost-1000-7");
  request.set_proof_kind(v1::WINDOW_POST_PARTITION);
  request.set_sector_size(2048);
  for (int i = 0; i < proofs; ++i)
    request.add_vanilla_proofs(std::string(size, static_cast<char>('a' + i % 26)));
  request.set_randomness(std::string(32, 'r'));
  return request;
}

TEST(ReceivedMessage, AnyCutIntoSlicesGivesTheSame) {
  const std::string bytes = request_of(40, 100).SerializeAsString();
  for (const std::size_t slice_size : {1u, 2u, 7u, 17u, 100u, 10'000u}) {
    ReceivedMessage message = received(bytes, slice_size);
    EXPECT_EQ(message.size_bytes(), bytes.size());
    const Result<MessageOutline> outline = message.outline(*v1::SubmitProofRequest::descriptor());
    ASSERT_TRUE(outline.is_ok()) << slice_size << ": " << outline.status().to_string();
    EXPECT_EQ(outline.value().fields, 44u);
    EXPECT_EQ(outline.value().proof_kind, 3u);
    v1::SubmitProofRequest read;
    EXPECT_TRUE(message.read(read).is_ok());
    EXPECT_EQ(read.SerializeAsString(), bytes);
    EXPECT_TRUE(message.read(read).is_ok()) << "an empty message";
    EXPECT_EQ(read.ByteSizeLong(), 0u) << "read twice";
  }
}

TEST(ReceivedMessage, MessagesInMessagesAreSeen) {
  v1::ProveRequest envelope;
  *envelope.mutable_submit() = request_of(3, 1);
  const MessageOutline outline =
      received(envelope.SerializeAsString()).outline(*v1::ProveRequest::descriptor()).value();
  EXPECT_EQ(outline.fields, 1u + 7u);
  EXPECT_EQ(outline.proof_kind, 3u);
  const MessageOutline empty = received("").outline(*v1::ProveRequest::descriptor()).value();
  EXPECT_EQ(empty.fields, 0u);
  EXPECT_EQ(empty.proof_kind, 0u);
}

// A slice that says, when it goes, how many proofs the message had by then.
struct Witnessed {
  std::string bytes;
  const v1::SubmitProofRequest* message;
  std::vector<int>* proofs_when_gone;
};

TEST(ReceivedMessage, BytesGoWhileTheyAreRead) {
  const std::string bytes = request_of(50, 1000).SerializeAsString();
  v1::SubmitProofRequest message;
  std::vector<int> proofs_when_gone;
  std::vector<grpc::Slice> slices;
  for (std::size_t i = 0; i < bytes.size(); i += 5000) {
    auto* part = new Witnessed{bytes.substr(i, 5000), &message, &proofs_when_gone};
    slices.emplace_back(
        part->bytes.data(), part->bytes.size(),
        [](void* data) {
          const std::unique_ptr<Witnessed> gone(static_cast<Witnessed*>(data));
          gone->proofs_when_gone->push_back(gone->message->vanilla_proofs_size());
        },
        part);
  }
  grpc::ByteBuffer buffer(slices.data(), slices.size());
  slices.clear();
  ReceivedMessage received(buffer);
  EXPECT_EQ(proofs_when_gone.size(), 0u);
  EXPECT_TRUE(received.read(message).is_ok());
  ASSERT_EQ(proofs_when_gone.size(), (bytes.size() + 4999) / 5000);
  EXPECT_LE(proofs_when_gone.front(), 10);
  EXPECT_EQ(proofs_when_gone.back(), 50);
}

// Two bytes on the wire are a hundred in memory.
TEST(ReceivedMessage, MoreFieldsThanAnyRequestHasAreRefused) {
  const auto& type = *v1::SubmitProofRequest::descriptor();
  v1::SubmitProofRequest request;
  for (std::uint64_t i = 0; i < ReceivedMessage::kMaxFields; ++i) request.add_vanilla_proofs();
  EXPECT_TRUE(received(request.SerializeAsString()).outline(type).is_ok());
  request.add_vanilla_proofs();
  const Status refused = received(request.SerializeAsString()).outline(type).status();
  EXPECT_EQ(refused.code(), StatusCode::invalid_argument);
  EXPECT_NE(refused.message().find("more than 20000 fields"), std::string::npos) << refused.message();
  std::string unknown;
  for (std::uint64_t i = 0; i <= ReceivedMessage::kMaxFields; ++i) unknown += "\xf8\x07\x01";  // field 127
  EXPECT_FALSE(received(unknown).outline(type).is_ok());
  v1::ProveRequest envelope;
  *envelope.mutable_submit() = request;
  EXPECT_FALSE(received(envelope.SerializeAsString()).outline(*v1::ProveRequest::descriptor()).is_ok());
}

// Strings of more than 50 MB grow by doubling while they are read.
TEST(ReceivedMessage, TheObjectHoldsNoMoreThanSaid) {
  std::vector<v1::SubmitProofRequest> requests = {v1::SubmitProofRequest(), request_of(1, 0),
                                                  request_of(19'000, 0), request_of(19'000, 16),
                                                  request_of(3, 100'000)};
  requests.emplace_back().set_vanilla_proof(std::string(51'000'000, 'x'));
  requests.emplace_back().set_request_id(std::string(51'000'000, 'x'));
  requests.emplace_back().add_vanilla_proofs(std::string(51'000'000, 'x'));
  for (v1::SubmitProofRequest& request : requests) {
    request.set_proof_kind(v1::WINNING_POST);
    ReceivedMessage message = received(request.SerializeAsString());
    const MessageOutline outline = message.outline(*v1::SubmitProofRequest::descriptor()).value();
    v1::SubmitProofRequest read;
    ASSERT_TRUE(message.read(read).is_ok());
    const ProofRequest made = request_from_proto(std::move(read)).value();
    EXPECT_LE(made.memory_bytes(), message.memory_bytes(outline)) << outline.fields;
    EXPECT_GE(message.memory_bytes(outline), request.ByteSizeLong());
  }
}

TEST(ReceivedMessage, WhatIsNoMessageIsRefused) {
  const std::string good = request_of(2, 300).SerializeAsString();
  v1::SubmitProofRequest read;
  for (const std::string& bytes : {good.substr(0, good.size() - 1), good.substr(0, 10), std::string("\xff"),
                                   std::string("\x0b\x0c"), std::string("\x5a\xff\xff\xff\xff\x0f"),
                                   std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")}) {
    const Status outline = received(bytes).outline(*v1::SubmitProofRequest::descriptor()).status();
    EXPECT_EQ(outline.code(), StatusCode::invalid_argument) << bytes.size();
    EXPECT_NE(outline.message().find("no cuzk.v1.SubmitProofRequest"), std::string::npos)
        << outline.message();
  }
  const google::protobuf::LogSilencer silence;
  const Status no_text = received("\x0a\x01\xff").read(read);  // a request id that is no UTF-8
  EXPECT_EQ(no_text.code(), StatusCode::invalid_argument);
}

// What can be read is never refused, except for groups, which are no part of proto3.
TEST(ReceivedMessage, OutlineAgreesWithTheParserOnDamagedMessages) {
  const google::protobuf::LogSilencer silence;
  const std::string good = request_of(5, 30).SerializeAsString();
  std::mt19937 random(20'240'607);
  int readable = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    ReceivedMessage message = received(bytes, 1 + random() % 64);
    const Result<MessageOutline> outline = message.outline(*v1::SubmitProofRequest::descriptor());
    v1::SubmitProofRequest read;
    if (!message.read(read).is_ok()) continue;
    ++readable;
    bool has_group = false;
    const auto& unknown = read.GetReflection()->GetUnknownFields(read);
    for (int j = 0; j < unknown.field_count(); ++j)
      has_group |= unknown.field(j).type() == google::protobuf::UnknownField::TYPE_GROUP;
    EXPECT_TRUE(outline.is_ok() || has_group) << outline.status().to_string();
  }
  EXPECT_GT(readable, 1000);
}

}  // namespace
}  // namespace cuzk
