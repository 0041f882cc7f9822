"""Small messages to send and to be answered with. No engine looks at them."""

from google.protobuf.duration_pb2 import Duration

from adamas.v1 import advisor_service_pb2 as advisor
from adamas.v1 import game_pb2, rules_service_pb2
from adamas.v1.dao_pb2 import (
    DAO_ACTION_REVEAL,
    DAO_ACTION_TAKE,
    DAO_ELEMENT_FIRE,
    DaoCard,
    DaoCardTaken,
    DaoEvent,
    DaoMove,
    DaoOptions,
    DaoState,
    DaoView,
)

TAKE = DaoMove(action=DAO_ACTION_TAKE)
REVEAL = DaoMove(action=DAO_ACTION_REVEAL)
FIRE_3 = DaoCard(element=DAO_ELEMENT_FIRE, value=3)
VIEW = DaoView(seats=2, seat=1, turn=1, row=[FIRE_3])
STATE = DaoState(seats=2, turn=1, row=[FIRE_3])
TAKEN = DaoEvent(card_taken=DaoCardTaken(seat=1, card=FIRE_3))


def advice(visits: int = 90, running: bool = False) -> advisor.Advice:
    """Two candidates, the first one with a line whose second move is hidden."""
    return advisor.Advice(
        best_move=game_pb2.Move(dao=TAKE),
        candidates=[
            advisor.Candidate(
                move=game_pb2.Move(dao=TAKE),
                words="takes Fire 3",
                reason="It is worth 3 points.",
                visits=visits,
                win_probability=0.625,
                expected_score=4.5,
                score_standard_error=0.25,
                principal_variation=[
                    advisor.LineMove(seat=1, move=game_pb2.Move(dao=TAKE), words="takes Fire 3"),
                    advisor.LineMove(seat=0, words="does something unseen"),
                ],
            ),
            advisor.Candidate(
                move=game_pb2.Move(dao=REVEAL), words="turns a card", visits=10, reason="Risky."
            ),
        ],
        legal_moves=2,
        search=advisor.SearchFigures(
            iterations=visits + 10,
            determinizations=visits + 10,
            nodes=50,
            trees=2,
            elapsed=Duration(nanos=200_000_000),
            stop_reason=advisor.STOP_REASON_UNSPECIFIED if running else advisor.STOP_REASON_TIME,
            seed=7,
        ),
        suggested_delay=Duration(seconds=1, nanos=500_000_000),
    )


def recommendation(visits: int = 90) -> advisor.RecommendResponse:
    """The answer to one RecommendRequest."""
    return advisor.RecommendResponse(advice=advice(visits))


def update(visits: int, final: bool = False) -> advisor.AnalyzeResponse:
    """One message of an analysis."""
    return advisor.AnalyzeResponse(advice=advice(visits, running=not final), final=final)


def status(*seats_to_move: int, over: bool = False) -> game_pb2.TableStatus:
    """A table of two seats, won by seat 1 if it is over."""
    return game_pb2.TableStatus(
        seats_to_move=seats_to_move,
        over=over,
        results=[
            game_pb2.SeatResult(seat=0, score=1),
            game_pb2.SeatResult(seat=1, score=3, win_share=1.0 if over else 0.0),
        ],
    )


def started(*seats_to_move: int) -> rules_service_pb2.StartGameResponse:
    """A game that has begun."""
    return rules_service_pb2.StartGameResponse(
        state=game_pb2.GameState(dao=STATE), status=status(*seats_to_move)
    )


def applied(*seats_to_move: int, over: bool = False) -> rules_service_pb2.ApplyMoveResponse:
    """A move that was played."""
    return rules_service_pb2.ApplyMoveResponse(
        state=game_pb2.GameState(dao=DaoState(options=DaoOptions(), seats=2, over=over)),
        events=[game_pb2.Event(dao=TAKEN)],
        event_words=["Seat 1 takes Fire 3."],
        status=status(*seats_to_move, over=over),
    )


def seen() -> rules_service_pb2.GetPlayerViewResponse:
    """A seat's view."""
    return rules_service_pb2.GetPlayerViewResponse(view=game_pb2.PlayerView(dao=VIEW))


def legal() -> rules_service_pb2.ListLegalMovesResponse:
    """Both moves."""
    return rules_service_pb2.ListLegalMovesResponse(
        moves=[
            rules_service_pb2.LegalMove(move=game_pb2.Move(dao=TAKE), words="takes Fire 3"),
            rules_service_pb2.LegalMove(move=game_pb2.Move(dao=REVEAL), words="turns a card"),
        ]
    )
