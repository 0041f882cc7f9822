#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>

#include "adamas/error.h"
#include "adamas/v1/advisor_service.grpc.pb.h"
#include "adamas/v1/rules_service.grpc.pb.h"

namespace adamas {

/// Settings of a client.
struct Options {
  /// What a call may take on top of its search time before it fails.
  std::chrono::milliseconds grace = std::chrono::seconds(10);
  /// What the server knows this client by; empty: nothing.
  std::string token = {};
  /// Lets the token be sent to other machines without TLS.
  bool plaintext_token = false;
  /// TLS, as grpc::SslCredentials makes it; null: none.
  std::shared_ptr<grpc::ChannelCredentials> tls = nullptr;
};

/// A connection to a server, for any number of calls and threads. It is made by the first call, and
/// made again whenever it breaks.
///
/// Searches have a deadline of their own time and the grace on top; the server answers before it.
/// Calls of the referee have the grace. A call that finds no server is tried up to four times. What
/// fails throws Error.
class Client {
 public:
  /// A client of the server at a target, "host:port"; nothing is sent yet. Throws
  /// std::invalid_argument if others could read the token on its way.
  explicit Client(const std::string& target, Options options = {});

  /// Searches a position and answers once.
  v1::Advice Recommend(const v1::SearchQuery& query) const;

  /// Searches a position and gives each update to `show`, the final one last, which is returned too.
  /// The search is stopped once `show` returns false; the update that it saw then is returned.
  v1::AnalyzeResponse Analyze(const v1::AnalyzeRequest& request,
                              const std::function<bool(const v1::AnalyzeResponse&)>& show) const;

  /// Searches many positions over one stream, without a deadline, and gives each answer to `show` as
  /// its search ends. Each request needs an id of its own.
  void RecommendBatch(const std::vector<v1::RecommendRequest>& requests,
                      const std::function<void(const v1::RecommendBatchResponse&)>& show) const;

  /// The games that the server plays.
  v1::ListGamesResponse ListGames(const v1::ListGamesRequest& request) const;
  /// A game's options, variants and levels.
  v1::GetGameResponse GetGame(const v1::GetGameRequest& request) const;
  /// Deals a new game.
  v1::StartGameResponse StartGame(const v1::StartGameRequest& request) const;
  /// What a seat knows of a full state.
  v1::GetPlayerViewResponse GetPlayerView(const v1::GetPlayerViewRequest& request) const;
  /// The moves of a seat.
  v1::ListLegalMovesResponse ListLegalMoves(const v1::ListLegalMovesRequest& request) const;
  /// Plays a move.
  v1::ApplyMoveResponse ApplyMove(const v1::ApplyMoveRequest& request) const;
  /// Whose turn it is, and how the game stands.
  v1::GetTableStatusResponse GetTableStatus(const v1::GetTableStatusRequest& request) const;
  /// What is wrong with a view, if anything is.
  v1::ValidateViewResponse ValidateView(const v1::ValidateViewRequest& request) const;

 private:
  template <class Request, class Response>
  using RulesCall = grpc::Status (v1::RulesService::StubInterface::*)(grpc::ClientContext*,
                                                                      const Request&, Response*);
  template <class Request, class Response>
  Response Ask(RulesCall<Request, Response> call, const Request& request) const;
  void Prepare(grpc::ClientContext& context) const;
  void SetDeadline(grpc::ClientContext& context, std::chrono::nanoseconds time) const;

  Options options_;
  std::unique_ptr<v1::AdvisorService::StubInterface> advisor_;
  std::unique_ptr<v1::RulesService::StubInterface> rules_;
};

}  // namespace adamas
