// What the client adds to the stubs, against a server whose answers a test writes.

#include "adamas/client.h"

#include <atomic>
#include <functional>
#include <future>
#include <memory>

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace adamas {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

class Scripted final : public v1::AdvisorService::Service {
 public:
  std::function<grpc::Status(grpc::ServerContext*, v1::RecommendResponse*)> recommend;
  std::promise<void> stopped;

  grpc::Status Recommend(grpc::ServerContext* context, const v1::RecommendRequest*,
                         v1::RecommendResponse* response) override {
    return recommend(context, response);
  }

  grpc::Status Analyze(grpc::ServerContext* context, const v1::AnalyzeRequest*,
                       grpc::ServerWriter<v1::AnalyzeResponse>* updates) override {
    while (!context->IsCancelled()) {
      updates->Write({});
      std::this_thread::sleep_for(milliseconds(5));
    }
    stopped.set_value();
    return grpc::Status::CANCELLED;
  }
};

class ClientTest : public testing::Test {
 protected:
  void SetUp() override {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&scripted_);
    server_ = builder.BuildAndStart();
  }

  Client Connect(Options options = {}) const {
    return Client("127.0.0.1:" + std::to_string(port_), std::move(options));
  }

  Scripted scripted_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

TEST_F(ClientTest, AnErrorTellsFieldsAndWhenToTryAgain) {
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  google::rpc::BadRequest wrong;
  auto* violation = wrong.add_field_violations();
  violation->set_field("query.level");
  violation->set_description("is 11; use 1 to 10");
  google::rpc::Status status;
  status.add_details()->PackFrom(retry);
  status.add_details()->PackFrom(wrong);
  scripted_.recommend = [&](auto*, auto*) {
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too much to do",
                        status.SerializeAsString());
  };
  try {
    Connect().Recommend({});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(error.retry_after(), milliseconds(1500));
    const Violation expected{"query.level", "is 11; use 1 to 10"};
    EXPECT_EQ(error.violations(), std::vector{expected});
    EXPECT_STREQ(error.what(),
                 "RESOURCE_EXHAUSTED: too much to do\n  query.level: is 11; use 1 to 10");
  }
}

TEST_F(ClientTest, ACallHasADeadlineOfItsSearchTimeAndTheGrace) {
  system_clock::time_point deadline;
  scripted_.recommend = [&](auto* context, auto*) {
    deadline = context->deadline();
    return grpc::Status::OK;
  };
  v1::SearchQuery query;
  query.mutable_limits()->mutable_time()->set_seconds(20);
  const auto before = system_clock::now();
  Connect({.grace = seconds(5)}).Recommend(query);
  EXPECT_GT(deadline, before + seconds(20));
  EXPECT_LE(deadline, system_clock::now() + seconds(25));
}

TEST_F(ClientTest, ATryIsMadeAgainWhileNoServerCanBeHad) {
  std::atomic<int> tries = 0;
  scripted_.recommend = [&](auto*, auto* response) {
    if (++tries < 3) return grpc::Status(grpc::StatusCode::UNAVAILABLE, "starting");
    response->mutable_advice()->set_legal_moves(4);
    return grpc::Status::OK;
  };
  EXPECT_EQ(Connect().Recommend({}).legal_moves(), 4);
  EXPECT_EQ(tries, 3);
}

TEST_F(ClientTest, AnAnalysisIsStoppedByWhoeverIsShownIt) {
  int shown = 0;
  Connect().Analyze({}, [&](const auto&) { return ++shown < 2; });
  EXPECT_EQ(shown, 2);
  EXPECT_EQ(scripted_.stopped.get_future().wait_for(seconds(10)), std::future_status::ready);
}

TEST_F(ClientTest, ATokenIsSentWithEveryCall) {
  std::string sent;
  scripted_.recommend = [&](auto* context, auto*) {
    const auto found = context->client_metadata().find("authorization");
    if (found != context->client_metadata().end()) {
      sent.assign(found->second.data(), found->second.size());
    }
    return grpc::Status::OK;
  };
  Connect({.token = "secret"}).Recommend({});
  EXPECT_EQ(sent, "Bearer secret");
}

TEST(Token, IsNotSentInTheOpen) {
  for (const char* target : {"example.com:50051", "dns:///example.com:50051", "10.0.0.1:50051"}) {
    EXPECT_THROW(Client(target, {.token = "secret"}), std::invalid_argument) << target;
    EXPECT_NO_THROW(Client(target, {.token = "secret", .plaintext_token = true})) << target;
  }
  for (const char* target : {"localhost:50051", "127.0.0.1:50051", "[::1]:50051"}) {
    EXPECT_NO_THROW(Client(target, {.token = "secret"})) << target;
  }
}

}  // namespace
}  // namespace adamas
