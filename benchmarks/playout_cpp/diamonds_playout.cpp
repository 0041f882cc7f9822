// Uniformly random playouts of the base game of Diamonds with 4 seats: the yardstick for the speed
// of the compiled Python engine. Same rules, same decisions, same generator (SplitMix64, Lemire's
// bounded integers), whole games of four rounds with dealing and passing.
//
//   g++ -O3 -march=native -std=c++20 diamonds_playout.cpp -o diamonds_playout
//   ./diamonds_playout SEED SECONDS    prints {"moves": n, "seconds": s, "games": g, "points": p}

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace {

constexpr int kSeats = 4;
constexpr int kRounds = 4;
constexpr int kHandSize = 10;
constexpr int kSuits = 4;
constexpr int kRanks = 15;
constexpr int kCards = kSuits * kRanks;
constexpr int kFirstShowroom = 3;

enum Suit { kDiamonds, kHearts, kSpades, kClubs };

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t word() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  // Exactly uniform in [0, n).
  uint32_t below(uint32_t n) {
    uint64_t product = (word() >> 32) * n;
    if (static_cast<uint32_t>(product) < n) [[unlikely]] {
      const uint32_t threshold = -n % n;
      while (static_cast<uint32_t>(product) < threshold) product = (word() >> 32) * n;
    }
    return product >> 32;
  }

 private:
  uint64_t state_;
};

using Cards = uint64_t;

constexpr Cards bit(int card) { return Cards{1} << card; }
constexpr Cards suit_cards(int suit) { return (bit(kRanks) - 1) << (suit * kRanks); }
constexpr int left_of(int seat) { return seat + 1 < kSeats ? seat + 1 : 0; }

// A uniformly random member of a set that is not empty.
int pick(Cards members, Rng& rng) {
  uint32_t n = rng.below(std::popcount(members));
#ifdef __BMI2__
  return std::countr_zero(_pdep_u64(bit(n), members));
#else
  for (; n > 0; --n) members &= members - 1;
  return std::countr_zero(members);
#endif
}

class Game {
 public:
  explicit Game(Rng& rng) : rng_(rng) {
    showrooms_.fill(kFirstShowroom);
    dealer_ = rng_.below(kSeats);
  }

  void play() {
    for (int round = 0; round < kRounds; ++round) {
      deal();
      pass();
      int leader = left_of(dealer_);
      for (int trick = 0; trick < kHandSize; ++trick) leader = play_trick(leader);
      end_round();
      dealer_ = left_of(dealer_);
    }
  }

  uint64_t moves() const { return moves_; }

  int points() const {
    int sum = 0;
    for (int seat = 0; seat < kSeats; ++seat) sum += 2 * vaults_[seat] + showrooms_[seat];
    return sum;
  }

 private:
  void deal() {
    std::array<uint8_t, kCards> deck;
    for (int i = 0; i < kCards; ++i) deck[i] = i;
    int dealt = 0;
    for (Cards& hand : hands_) {
      hand = 0;
      for (int i = 0; i < kHandSize; ++i, ++dealt) {
        std::swap(deck[dealt], deck[dealt + rng_.below(kCards - dealt)]);
        hand |= bit(deck[dealt]);
      }
    }
    captured_.fill(0);
  }

  void pass() {
    const int count = 1 + rng_.below(3);
    std::array<Cards, kSeats> passed{};
    for (int seat = 0; seat < kSeats; ++seat) {
      for (int i = 0; i < count; ++i) passed[seat] |= bit(pick(hands_[seat] ^ passed[seat], rng_));
    }
    for (int seat = 0; seat < kSeats; ++seat) hands_[seat] ^= passed[seat];
    for (int seat = 0; seat < kSeats; ++seat) hands_[left_of(seat)] |= passed[seat];
    moves_ += 1 + kSeats;
  }

  int play_trick(int leader) {
    int best = pick(hands_[leader], rng_);
    int winner = leader;
    hands_[leader] ^= bit(best);
    Cards trick = bit(best);
    const int led = best / kRanks;
    int seat = leader;
    for (int i = 1; i < kSeats; ++i) {
      seat = left_of(seat);
      const Cards following = hands_[seat] & suit_cards(led);
      const int card = pick(following ? following : hands_[seat], rng_);
      hands_[seat] ^= bit(card);
      trick |= bit(card);
      if (!following) {
        act(seat, card / kRanks);
      } else if (card > best) {
        best = card;
        winner = seat;
      }
    }
    captured_[winner] |= trick;
    act(winner, led);
    moves_ += kSeats;
    return winner;
  }

  void act(int seat, int suit) {
    switch (suit) {
      case kDiamonds:
        ++vaults_[seat];
        break;
      case kHearts:
        ++showrooms_[seat];
        break;
      case kSpades:
        if (showrooms_[seat] > 0) {
          --showrooms_[seat];
          ++vaults_[seat];
        }
        break;
      default:
        steal(seat);
    }
  }

  void steal(int seat) {
    uint32_t victims = 0;
    for (int other = 0; other < kSeats; ++other) {
      if (other != seat && showrooms_[other] > 0) victims |= 1u << other;
    }
    if (victims == 0) return;
    moves_ += !std::has_single_bit(victims);
    --showrooms_[pick(victims, rng_)];
    ++showrooms_[seat];
  }

  void end_round() {
    for (int suit = 0; suit < kSuits; ++suit) {
      int most = 0;
      int seat = -1;
      for (int other = 0; other < kSeats; ++other) {
        const int cards = std::popcount(captured_[other] & suit_cards(suit));
        if (cards > most) {
          most = cards;
          seat = other;
        } else if (cards == most) {
          seat = -1;
        }
      }
      if (seat >= 0) act(seat, suit);
    }
    for (int seat = 0; seat < kSeats; ++seat) {
      if (captured_[seat] == 0) vaults_[seat] += 2;
    }
  }

  Rng& rng_;
  std::array<Cards, kSeats> hands_{};
  std::array<Cards, kSeats> captured_{};
  std::array<int16_t, kSeats> vaults_{};
  std::array<int16_t, kSeats> showrooms_{};
  int dealer_ = 0;
  uint64_t moves_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SEED SECONDS\n", argv[0]);
    return 2;
  }
  Rng rng(std::strtoull(argv[1], nullptr, 10));
  const double wanted = std::strtod(argv[2], nullptr);
  const auto start = std::chrono::steady_clock::now();
  uint64_t moves = 0, games = 0, points = 0;
  double seconds = 0;
  do {
    for (int i = 0; i < 1000; ++i, ++games) {
      Game game(rng);
      game.play();
      moves += game.moves();
      points += game.points();
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (seconds < wanted);
  std::printf("{\"moves\": %llu, \"seconds\": %.6f, \"games\": %llu, \"points\": %.4f}\n",
              static_cast<unsigned long long>(moves), seconds,
              static_cast<unsigned long long>(games), double(points) / double(games));
}
