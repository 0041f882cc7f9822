"""What must hold for every game: see engines.contract."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract import (
    GAME_OVER,
    MAX_SEATS,
    RANDOM,
    RESULT_ROWS,
    SCORE,
    UTILITY,
    WIN_SHARE,
    Game,
)
from engines.events import NO_LOG, new_log
from engines.jit import Row
from engines.options import BoolOption, NameOption
from engines.registry import games, options_message
from engines.rng import generator
from engines.violations import Report
from tests.contract.play import (
    Setting,
    legal_moves,
    plies,
    position_after,
    settings,
    variants,
    view_of,
    without_transients,
)

ALL_SETTINGS = pytest.mark.parametrize("setting", settings(), ids=str)
VARIANTS = pytest.mark.parametrize("setting", variants(), ids=str)
GAMES = pytest.mark.parametrize("game", games().values(), ids=games().keys())


def evaluated(game: Game, row: Row) -> np.ndarray:
    results = np.zeros((RESULT_ROWS, MAX_SEATS))
    game.kernels.evaluate(row, results)
    return results


@ALL_SETTINGS
def test_legal_moves_are_distinct_sorted_and_playable(setting: Setting) -> None:
    for seed in range(2):
        for row, move in plies(setting, seed):
            moves = legal_moves(setting.game, row)
            assert moves == sorted(set(moves))
            assert len(moves) <= setting.game.max_moves
            assert (move in moves) if move >= 0 else not moves
            assert all(m >= 0 for m in moves)


@ALL_SETTINGS
def test_a_game_ends_within_its_bound_with_one_victory_to_share(setting: Setting) -> None:
    for seed in range(3):
        count, last = 0, setting.deal(seed)
        for row, move in plies(setting, seed):
            count += move >= 0
            last = row
        assert count <= setting.game.max_game_moves
        results = evaluated(setting.game, last)[:, : setting.seats]
        assert np.all((results[UTILITY] >= 0) & (results[UTILITY] <= 1))
        shares = results[WIN_SHARE]
        assert np.all((shares >= 0) & (shares <= 1))
        winners = shares > 0
        assert winners.any()
        assert np.ptp(shares[winners]) == pytest.approx(0)
        assert np.all(results[SCORE][winners] == results[SCORE].max())


@VARIANTS
def test_thousands_of_playouts_end_where_the_rules_say(setting: Setting) -> None:
    game = setting.game
    rng = generator(11)
    for seed in range(100):
        start = setting.deal(seed)
        for policy in (RANDOM, 1):
            for _ in range(5):
                row = start.copy()
                moves = game.kernels.playout(row, rng, policy)
                assert 0 < moves <= game.max_game_moves
                assert game.kernels.seat_to_move(row) == GAME_OVER


@ALL_SETTINGS
def test_states_survive_the_way_through_messages_at_every_ply(setting: Setting) -> None:
    game = setting.game
    for row, _ in plies(setting, 5):
        report = Report()
        message = game.codec.write_state(row)
        parsed = type(message).FromString(message.SerializeToString())
        again = game.codec.read_state(parsed, "state", report)
        assert not report.violations
        assert without_transients(game, again) == without_transients(game, row)


@ALL_SETTINGS
def test_views_survive_the_way_through_messages_at_every_ply(setting: Setting) -> None:
    game = setting.game
    for ply, (row, _) in enumerate(plies(setting, 6)):
        view = view_of(game, row, ply % setting.seats)
        report = Report()
        message = game.codec.write_view(view)
        parsed = type(message).FromString(message.SerializeToString())
        again = game.codec.read_view(parsed, "view", report)
        assert not report.violations
        assert again.tobytes() == view.tobytes()


@ALL_SETTINGS
def test_moves_survive_the_way_through_messages(setting: Setting) -> None:
    game = setting.game
    for ply, (row, _) in enumerate(plies(setting, 7)):
        if ply % 5 == 0:
            for move in legal_moves(game, row)[:50]:
                report = Report()
                message = game.codec.write_move(row, move)
                assert game.codec.read_move(row, message, "move", report) == move
                assert not report.violations


@ALL_SETTINGS
def test_a_determinization_agrees_with_the_view(setting: Setting) -> None:
    game = setting.game
    rng = generator(12)
    for ply, (row, _) in enumerate(plies(setting, 8)):
        if ply % 3 == 0:
            for seat in range(setting.seats):
                view = view_of(game, row, seat)
                table = game.new_table()
                assert game.kernels.prepare(view, table)
                for _ in range(3):
                    sample = game.new_row()
                    game.kernels.determinize(view, table, rng, sample)
                    assert view_of(game, sample, seat).tobytes() == view.tobytes()


@VARIANTS
def test_the_viewing_seat_is_to_move_in_a_determinization_if_it_may_decide(
    setting: Setting,
) -> None:
    game = setting.game
    rng = generator(13)
    for row, _ in plies(setting, 9):
        deciding = int(game.kernels.seats_to_move(row))
        for seat in range(setting.seats):
            if deciding >> seat & 1:
                claimed = row.copy()
                assert game.kernels.claim_turn(claimed, seat)
                view = view_of(game, row, seat)
                table = game.new_table()
                game.kernels.prepare(view, table)
                sample = game.new_row()
                game.kernels.determinize(view, table, rng, sample)
                assert game.kernels.seat_to_move(sample) == seat
                assert legal_moves(game, sample) == legal_moves(game, claimed)
            else:
                assert not game.kernels.claim_turn(row.copy(), seat)


@GAMES
def test_samples_of_different_seeds_differ(game: Game) -> None:
    """Not all of them: little may be hidden. But what is, is drawn."""
    setting = Setting(game, game.max_seats, "standard")
    view = view_of(game, position_after(setting, 3, 4), 0)
    table = game.new_table()
    game.kernels.prepare(view, table)
    samples = set()
    for seed in range(20):
        sample = game.new_row()
        game.kernels.determinize(view, table, generator(seed), sample)
        samples.add(sample.tobytes())
    assert len(samples) > 1


@GAMES
def test_the_same_seed_deals_and_samples_the_same(game: Game) -> None:
    setting = Setting(game, game.min_seats, "standard")
    assert setting.deal(4).tobytes() == setting.deal(4).tobytes()
    assert setting.deal(4).tobytes() != setting.deal(5).tobytes()


@VARIANTS
def test_hidden_moves_look_alike_and_open_moves_look_like_themselves(setting: Setting) -> None:
    game = setting.game
    for row, _ in plies(setting, 10):
        mover = int(game.kernels.seat_to_move(row))
        for move in legal_moves(game, row)[:30]:
            assert game.kernels.move_key(row, move, mover) == move


@VARIANTS
def test_public_events_do_not_depend_on_who_reads_them_and_have_words(setting: Setting) -> None:
    game = setting.game
    for row, move in plies(setting, 11):
        if move < 0:
            continue
        log, after = new_log(), row.copy()
        game.kernels.apply_move(after, move, log)
        for event in game.codec.write_events(row, after, log):
            for language in ("en", "zh-TW"):
                words = game.words.event(event, language)
                assert words
                assert "{" not in words
        for language in ("en", "zh-TW"):
            assert game.words.move(row, move, language)


@GAMES
def test_logging_changes_nothing(game: Game) -> None:
    setting = Setting(game, game.max_seats, "standard")
    for row, move in plies(setting, 12):
        if move >= 0:
            silent, logged = row.copy(), row.copy()
            game.kernels.apply_move(silent, move, NO_LOG)
            game.kernels.apply_move(logged, move, new_log())
            assert silent.tobytes() == logged.tobytes()


@GAMES
def test_options_are_fields_of_the_message_and_of_the_record(game: Game) -> None:
    message = options_message(game.game_id)
    fields = {field.name for field in message.DESCRIPTOR.fields}
    assert {spec.name for spec in game.options} == fields
    assert fields <= set(game.state.names or ())
    for spec in game.options:
        for language in ("en", "zh-TW"):
            assert spec.title[language]
            assert spec.description[language]
        for seats in range(game.min_seats, game.max_seats + 1):
            assert spec.allows(spec.default(seats))


@GAMES
def test_options_out_of_range_are_named(game: Game) -> None:
    for spec in game.options:
        message = options_message(game.game_id)
        if isinstance(spec, BoolOption):
            continue
        wrong = "no such name" if isinstance(spec, NameOption) else 2_000_000_000
        setattr(message, spec.name, wrong)
        report = Report()
        game.codec.read_options(message, game.min_seats, "options", report)
        assert [v.field for v in report.violations][:1] == [f"options.{spec.name}"]
