// Asks an Adamas server what to play: deals a game of DAO, shows one seat the ranked moves with their
// reasons, watches a longer analysis grow, stops it once it is clear enough, and plays the move.
//
//     adamas_hint [host:port]

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "adamas/client.h"

namespace {

namespace v1 = adamas::v1;
constexpr int kClearEnough = 20000;

void Run(const adamas::Client& client) {
  std::cout << "This server plays";
  const v1::ListGamesResponse games = client.ListGames({});
  for (const auto& game : games.games()) std::cout << ' ' << game.name();
  std::cout << ".\n";

  v1::StartGameRequest deal;
  deal.mutable_options()->mutable_dao();
  deal.set_seats(3);
  const v1::StartGameResponse started = client.StartGame(deal);
  const int seat = started.status().seats_to_move(0);
  v1::GetPlayerViewRequest of_seat;
  *of_seat.mutable_state() = started.state();
  of_seat.set_seat(seat);
  v1::SearchQuery query;
  *query.mutable_view() = client.GetPlayerView(of_seat).view();
  query.set_candidates(3);

  std::cout << "\nWhat seat " << seat << " could play:\n";
  query.mutable_limits()->mutable_time()->set_nanos(200'000'000);
  int rank = 1;
  const v1::Advice advice = client.Recommend(query);
  for (const auto& candidate : advice.candidates()) {
    std::printf("%d. %s: wins %.1f %%, %.2f points\n   %s\n", rank++, candidate.words().c_str(),
                100 * candidate.win_probability(), candidate.expected_score(),
                candidate.reason().c_str());
  }

  std::cout << "\nA longer look:\n";
  v1::AnalyzeRequest longer;
  *longer.mutable_query() = query;
  longer.mutable_query()->mutable_limits()->mutable_time()->set_seconds(5);
  const v1::AnalyzeResponse last = client.Analyze(longer, [](const auto& update) {
    const auto& best = update.advice().candidates(0);
    std::cout << best.words() << " after " << best.visits() << " visits\n";
    return best.visits() < kClearEnough;
  });

  v1::ApplyMoveRequest played;
  *played.mutable_state() = started.state();
  *played.mutable_move() = last.advice().best_move();
  played.set_seat(seat);
  std::cout << '\n';
  const v1::ApplyMoveResponse applied = client.ApplyMove(played);
  for (const auto& event : applied.event_words()) std::cout << event << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  try {
    Run(adamas::Client(count > 1 ? arguments[1] : "localhost:50051"));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
