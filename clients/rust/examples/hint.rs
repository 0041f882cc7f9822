//! Asks an Adamas server what to play: deals a game of DAO, shows one seat the ranked moves with
//! their reasons, watches a longer analysis grow, stops it once it is clear enough, and plays the
//! move.
//!
//!     cargo run --example hint -- http://localhost:50051

use std::process::ExitCode;

use adamas::v1::game_options::Game;
use adamas::v1::search_query::Position;
use adamas::v1::{
    AnalyzeRequest, ApplyMoveRequest, DaoOptions, GameOptions, GetPlayerViewRequest,
    ListGamesRequest, SearchLimits, SearchQuery, StartGameRequest,
};
use adamas::{Client, Error};
use tokio_stream::StreamExt;

const CLEAR_ENOUGH: i64 = 20_000;

#[tokio::main]
async fn main() -> ExitCode {
    let address = std::env::args().nth(1);
    match run(address.unwrap_or_else(|| "http://localhost:50051".to_owned())).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(address: String) -> Result<(), Error> {
    let client = Client::new(address)?;
    let mut rules = client.rules();

    let games = rules
        .list_games(ListGamesRequest::default())
        .await?
        .into_inner()
        .games;
    let names: Vec<_> = games.iter().map(|game| game.name.as_str()).collect();
    println!("This server plays {}.", names.join(", "));

    let options = GameOptions {
        game: Some(Game::Dao(DaoOptions::default())),
    };
    let deal = StartGameRequest {
        options: Some(options),
        seats: 3,
        ..Default::default()
    };
    let started = rules.start_game(deal).await?.into_inner();
    let seat = started.status.unwrap_or_default().seats_to_move[0];
    let of_seat = GetPlayerViewRequest {
        state: started.state.clone(),
        seat,
    };
    let view = rules
        .get_player_view(of_seat)
        .await?
        .into_inner()
        .view
        .unwrap_or_default();
    let query = |seconds, nanos| SearchQuery {
        position: Some(Position::View(view.clone())),
        limits: Some(SearchLimits {
            time: Some(prost_types::Duration { seconds, nanos }),
            ..Default::default()
        }),
        candidates: 3,
        ..Default::default()
    };

    println!("\nWhat seat {seat} could play:");
    let advice = client.recommend(query(0, 200_000_000)).await?;
    for (rank, candidate) in (1..).zip(&advice.candidates) {
        println!(
            "{rank}. {}: wins {:.1} %, {:.2} points\n   {}",
            candidate.words,
            100.0 * candidate.win_probability,
            candidate.expected_score,
            candidate.reason
        );
    }

    println!("\nA longer look:");
    let mut chosen = advice.best_move;
    let request = AnalyzeRequest {
        query: Some(query(5, 0)),
        ..Default::default()
    };
    let mut updates = client.analyze(request).await?;
    while let Some(update) = updates.next().await {
        let advice = update?.advice.unwrap_or_default();
        let best = &advice.candidates[0];
        println!("{} after {} visits", best.words, best.visits);
        let clear = best.visits >= CLEAR_ENOUGH;
        chosen = advice.best_move;
        if clear {
            break;
        }
    }
    drop(updates);

    let played = ApplyMoveRequest {
        state: started.state,
        r#move: chosen,
        seat: Some(seat),
        ..Default::default()
    };
    let applied = rules.apply_move(played).await?.into_inner();
    println!("\n{}", applied.event_words.join("\n"));
    Ok(())
}
