#include "adamas/client.h"

#include <stdexcept>
#include <thread>
#include <utility>

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

namespace adamas {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds kDefaultSearchTime(1);
constexpr seconds kMaxSearchTime(60);

// No retries of batches: replayed by gRPC, a stream may lose what was written meanwhile.
constexpr char kServiceConfig[] = R"({
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [
    {"name": [{"service": "adamas.v1.AdvisorService", "method": "RecommendBatch"}]},
    {
      "name": [{}],
      "retryPolicy": {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
      }
    }
  ]
})";

bool StaysHere(const std::string& target) {
  if (target.rfind("unix:", 0) == 0) return true;
  const std::string address = target.substr(target.rfind('/') + 1);
  std::string host = address.substr(0, address.rfind(':'));
  if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return host == "localhost" || host == "::1" || host.rfind("127.", 0) == 0;
}

nanoseconds SearchTime(const v1::SearchLimits& limits) {
  if (limits.has_time()) return seconds(limits.time().seconds()) + nanoseconds(limits.time().nanos());
  return limits.iterations() > 0 ? kMaxSearchTime : kDefaultSearchTime;
}

void Check(const grpc::Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace

Client::Client(const std::string& target, Options options) : options_(std::move(options)) {
  if (!options_.token.empty() && !options_.tls && !options_.plaintext_token && !StaysHere(target)) {
    throw std::invalid_argument("without TLS, others could read the token on its way to " + target +
                                "; set tls, or plaintext_token where the way is safe");
  }
  grpc::ChannelArguments arguments;
  arguments.SetServiceConfigJSON(kServiceConfig);
  arguments.SetMaxReceiveMessageSize(-1);
  const auto credentials = options_.tls ? options_.tls : grpc::InsecureChannelCredentials();
  const auto channel = grpc::CreateCustomChannel(target, credentials, arguments);
  advisor_ = v1::AdvisorService::NewStub(channel);
  rules_ = v1::RulesService::NewStub(channel);
}

v1::Advice Client::Recommend(const v1::SearchQuery& query) const {
  grpc::ClientContext context;
  Prepare(context);
  SetDeadline(context, SearchTime(query.limits()));
  v1::RecommendRequest request;
  *request.mutable_query() = query;
  v1::RecommendResponse response;
  Check(advisor_->Recommend(&context, request, &response));
  return std::move(*response.mutable_advice());
}

v1::AnalyzeResponse Client::Analyze(
    const v1::AnalyzeRequest& request,
    const std::function<bool(const v1::AnalyzeResponse&)>& show) const {
  grpc::ClientContext context;
  Prepare(context);
  SetDeadline(context, SearchTime(request.query().limits()));
  const auto updates = advisor_->Analyze(&context, request);
  v1::AnalyzeResponse update, last;
  while (updates->Read(&update)) {
    last = update;
    if (!show(last)) {
      context.TryCancel();
      updates->Finish();
      return last;
    }
  }
  Check(updates->Finish());
  return last;
}

void Client::RecommendBatch(
    const std::vector<v1::RecommendRequest>& requests,
    const std::function<void(const v1::RecommendBatchResponse&)>& show) const {
  grpc::ClientContext context;
  Prepare(context);
  const auto stream = advisor_->RecommendBatch(&context);
  // Written beside the reading: the server holds up whoever does not take its answers.
  std::thread writer([&] {
    for (const v1::RecommendRequest& request : requests) {
      v1::RecommendBatchRequest message;
      *message.mutable_recommend() = request;
      if (!stream->Write(message)) return;  // the stream has ended; reading tells why
    }
    stream->WritesDone();
  });
  v1::RecommendBatchResponse response;
  while (stream->Read(&response)) show(response);
  writer.join();
  Check(stream->Finish());
}

v1::ListGamesResponse Client::ListGames(const v1::ListGamesRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::ListGames, request);
}

v1::GetGameResponse Client::GetGame(const v1::GetGameRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::GetGame, request);
}

v1::StartGameResponse Client::StartGame(const v1::StartGameRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::StartGame, request);
}

v1::GetPlayerViewResponse Client::GetPlayerView(const v1::GetPlayerViewRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::GetPlayerView, request);
}

v1::ListLegalMovesResponse Client::ListLegalMoves(const v1::ListLegalMovesRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::ListLegalMoves, request);
}

v1::ApplyMoveResponse Client::ApplyMove(const v1::ApplyMoveRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::ApplyMove, request);
}

v1::GetTableStatusResponse Client::GetTableStatus(const v1::GetTableStatusRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::GetTableStatus, request);
}

v1::ValidateViewResponse Client::ValidateView(const v1::ValidateViewRequest& request) const {
  return Ask(&v1::RulesService::StubInterface::ValidateView, request);
}

template <class Request, class Response>
Response Client::Ask(RulesCall<Request, Response> call, const Request& request) const {
  grpc::ClientContext context;
  Prepare(context);
  SetDeadline(context, nanoseconds(0));
  Response response;
  Check(((*rules_).*call)(&context, request, &response));
  return response;
}

void Client::Prepare(grpc::ClientContext& context) const {
  if (!options_.token.empty()) context.AddMetadata("authorization", "Bearer " + options_.token);
}

void Client::SetDeadline(grpc::ClientContext& context, nanoseconds time) const {
  const auto wait = std::chrono::duration_cast<std::chrono::system_clock::duration>(time);
  context.set_deadline(std::chrono::system_clock::now() + wait + options_.grace);
}

}  // namespace adamas
