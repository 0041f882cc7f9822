// The vectors of clients/conformance: answers are those of all clients.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "adamas/client.h"

namespace adamas {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Message;
using google::protobuf::Struct;
using google::protobuf::Value;
using google::protobuf::util::MessageDifferencer;

template <class M>
M Read(const Value& json) {
  std::string text;
  M message;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(json, &text).ok());
  const auto status = google::protobuf::util::JsonStringToMessage(text, &message);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return message;
}

void ClearIncomparable(v1::Advice& advice) {
  advice.clear_suggested_delay();
  advice.mutable_search()->clear_elapsed();
}

/// A vector: a request with the answer that every client gets.
class Vector {
 public:
  explicit Vector(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(text.str(), &json_).ok());
  }

  std::string call() const { return json_.fields().at("call").string_value(); }
  const ListValue& requests() const { return json_.fields().at("requests").list_value(); }
  const ListValue& responses() const { return json_.fields().at("responses").list_value(); }

  template <class M>
  M request() const {
    return Read<M>(requests().values(0));
  }

  void Check(const Client& client) const {
    const auto expected = json_.fields().find("error");
    if (expected == json_.fields().end()) {
      Ask(client);
      return;
    }
    try {
      Ask(client);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      CheckError(error, expected->second.struct_value());
    }
  }

 private:
  void Ask(const Client& client) const {
    if (call() == "AdvisorService/Recommend") return Recommend(client);
    if (call() == "AdvisorService/Analyze") return Analyze(client);
    if (call() == "AdvisorService/RecommendBatch") return Batch(client);
    if (call() == "RulesService/ListGames") {
      return Expect(client.ListGames(request<v1::ListGamesRequest>()));
    }
    if (call() == "RulesService/GetGame") {
      return Expect(client.GetGame(request<v1::GetGameRequest>()));
    }
    if (call() == "RulesService/StartGame") {
      return Expect(client.StartGame(request<v1::StartGameRequest>()));
    }
    if (call() == "RulesService/GetPlayerView") {
      return Expect(client.GetPlayerView(request<v1::GetPlayerViewRequest>()));
    }
    if (call() == "RulesService/ListLegalMoves") {
      return Expect(client.ListLegalMoves(request<v1::ListLegalMovesRequest>()));
    }
    if (call() == "RulesService/ApplyMove") {
      return Expect(client.ApplyMove(request<v1::ApplyMoveRequest>()));
    }
    if (call() == "RulesService/GetTableStatus") {
      return Expect(client.GetTableStatus(request<v1::GetTableStatusRequest>()));
    }
    if (call() == "RulesService/ValidateView") {
      return Expect(client.ValidateView(request<v1::ValidateViewRequest>()));
    }
    FAIL() << "no call " << call();
  }

  void Recommend(const Client& client) const {
    const auto asked = request<v1::RecommendRequest>();
    v1::RecommendResponse response;
    response.set_request_id(asked.request_id());
    *response.mutable_advice() = client.Recommend(asked.query());
    ClearIncomparable(*response.mutable_advice());
    Expect(response);
  }

  void Analyze(const Client& client) const {
    auto last = client.Analyze(request<v1::AnalyzeRequest>(), [](const auto&) { return true; });
    ClearIncomparable(*last.mutable_advice());
    Expect(last);
  }

  void Batch(const Client& client) const {
    std::vector<v1::RecommendRequest> asked;
    for (const Value& json : requests().values()) {
      asked.push_back(Read<v1::RecommendBatchRequest>(json).recommend());
    }
    std::map<std::string, v1::RecommendBatchResponse> found;
    client.RecommendBatch(asked, [&](const auto& response) {
      auto& kept = found[response.request_id()] = response;
      if (kept.has_error()) {
        kept.mutable_error()->clear_details();
      } else {
        ClearIncomparable(*kept.mutable_advice());
      }
    });
    ASSERT_EQ(static_cast<int>(found.size()), responses().values_size());
    int index = 0;
    for (const auto& [id, response] : found) Expect(response, index++);
  }

  template <class M>
  void Expect(const M& response, int index = 0) const {
    const M expected = Read<M>(responses().values(index));
    std::string difference;
    MessageDifferencer differencer;
    differencer.ReportDifferencesToString(&difference);
    EXPECT_TRUE(differencer.Compare(expected, response)) << difference;
  }

  static void CheckError(const Error& error, const Struct& expected) {
    const std::string code = expected.fields().at("code").string_value();
    EXPECT_EQ(std::string(error.what()).substr(0, code.size()), code);
    EXPECT_EQ(error.message(), expected.fields().at("message").string_value());
    std::vector<Violation> violations;
    for (const Value& violation : expected.fields().at("violations").list_value().values()) {
      const auto& fields = violation.struct_value().fields();
      violations.push_back(
          {fields.at("field").string_value(), fields.at("description").string_value()});
    }
    EXPECT_EQ(error.violations(), violations);
  }

  Struct json_;
};

TEST(Conformance, AnswersAreThoseOfAllClients) {
  const char* target = std::getenv("ADAMAS_TARGET");
  if (target == nullptr) GTEST_SKIP() << "ADAMAS_TARGET names no server";
  const Client client(target);
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ADAMAS_VECTORS)) {
    SCOPED_TRACE(entry.path().stem().string());
    Vector(entry.path()).Check(client);
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace adamas
