//! The vectors of clients/conformance: answers are those of all clients.

use std::fs;
use std::path::Path;

use adamas::v1;
use adamas::{Client, Error, Violation};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::Value;
use tokio_stream::StreamExt;

#[tokio::test]
async fn answers_are_those_of_all_clients() {
    let Ok(target) = std::env::var("ADAMAS_TARGET") else {
        eprintln!("skipped: ADAMAS_TARGET names no server");
        return;
    };
    let client = Client::new(format!("http://{target}")).expect("an address");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/vectors");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the vectors")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let vector: Value =
            serde_json::from_str(&fs::read_to_string(&path).expect("text")).expect("JSON");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        check(&client, &vector, &name).await;
        println!("passed: {name}");
    }
}

async fn check(client: &Client, vector: &Value, name: &str) {
    let outcome = ask(client, vector).await;
    let Some(expected) = vector.get("error") else {
        let (output, responses) = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = vector["responses"].as_array().expect("responses");
        let expected: Vec<_> = expected
            .iter()
            .map(|json| as_json(&read(output, json)))
            .collect();
        let found: Vec<_> = responses
            .iter()
            .map(|bytes| DynamicMessage::decode(kind(output), &bytes[..]).expect("a message"))
            .map(|message| as_json(&message))
            .collect();
        assert_eq!(found, expected, "{name}");
        return;
    };
    let error = outcome.err().unwrap_or_else(|| panic!("{name}: no error"));
    let code = expected["code"].as_str().expect("a code").replace('_', "");
    assert_eq!(format!("{:?}", error.code).to_uppercase(), code, "{name}");
    assert_eq!(
        error.message,
        expected["message"].as_str().expect("a message"),
        "{name}"
    );
    let violations: Vec<_> = expected["violations"]
        .as_array()
        .expect("violations")
        .iter()
        .map(|violation| Violation {
            field: violation["field"].as_str().expect("a field").to_owned(),
            description: violation["description"]
                .as_str()
                .expect("a text")
                .to_owned(),
        })
        .collect();
    assert_eq!(error.violations, violations, "{name}");
}

/// Makes a vector's call, and clears what can't be compared: the response's type, and responses.
async fn ask(client: &Client, vector: &Value) -> Result<(&'static str, Vec<Vec<u8>>), Error> {
    let requests = vector["requests"].as_array().expect("requests");
    let first = &requests[0];
    let mut rules = client.rules();
    macro_rules! rules {
        ($call:ident, $request:literal, $response:literal) => {{
            let request = message($request, first);
            let response = rules
                .$call(tonic::Request::new(request))
                .await?
                .into_inner();
            Ok(($response, vec![response.encode_to_vec()]))
        }};
    }
    match vector["call"].as_str().expect("a call") {
        "AdvisorService/Recommend" => {
            let request: v1::RecommendRequest = message("RecommendRequest", first);
            let advice = client.recommend(request.query.unwrap_or_default()).await?;
            let response = v1::RecommendResponse {
                request_id: request.request_id,
                advice: timeless(Some(advice)),
            };
            Ok(("RecommendResponse", vec![response.encode_to_vec()]))
        }
        "AdvisorService/Analyze" => {
            let mut updates = client.analyze(message("AnalyzeRequest", first)).await?;
            let mut last = v1::AnalyzeResponse::default();
            while let Some(update) = updates.next().await {
                last = update?;
            }
            last.advice = timeless(last.advice);
            Ok(("AnalyzeResponse", vec![last.encode_to_vec()]))
        }
        "AdvisorService/RecommendBatch" => {
            let requests: Vec<v1::RecommendBatchRequest> = requests
                .iter()
                .map(|request| message("RecommendBatchRequest", request))
                .collect();
            let mut answers = client.recommend_batch(tokio_stream::iter(requests)).await?;
            let mut found = Vec::new();
            while let Some(answer) = answers.next().await {
                found.push(answer?);
            }
            found.sort_by(|a, b| a.request_id.cmp(&b.request_id));
            for answer in &mut found {
                use v1::recommend_batch_response::Outcome;
                answer.outcome = match answer.outcome.take() {
                    Some(Outcome::Advice(advice)) => timeless(Some(advice)).map(Outcome::Advice),
                    Some(Outcome::Error(mut error)) => {
                        error.details.clear();
                        Some(Outcome::Error(error))
                    }
                    None => None,
                };
            }
            let encoded = found.iter().map(Message::encode_to_vec).collect();
            Ok(("RecommendBatchResponse", encoded))
        }
        "RulesService/ListGames" => rules!(list_games, "ListGamesRequest", "ListGamesResponse"),
        "RulesService/GetGame" => rules!(get_game, "GetGameRequest", "GetGameResponse"),
        "RulesService/StartGame" => rules!(start_game, "StartGameRequest", "StartGameResponse"),
        "RulesService/GetPlayerView" => {
            rules!(
                get_player_view,
                "GetPlayerViewRequest",
                "GetPlayerViewResponse"
            )
        }
        "RulesService/ListLegalMoves" => {
            rules!(
                list_legal_moves,
                "ListLegalMovesRequest",
                "ListLegalMovesResponse"
            )
        }
        "RulesService/ApplyMove" => rules!(apply_move, "ApplyMoveRequest", "ApplyMoveResponse"),
        "RulesService/GetTableStatus" => {
            rules!(
                get_table_status,
                "GetTableStatusRequest",
                "GetTableStatusResponse"
            )
        }
        "RulesService/ValidateView" => {
            rules!(validate_view, "ValidateViewRequest", "ValidateViewResponse")
        }
        other => panic!("no call {other}"),
    }
}

fn timeless(advice: Option<v1::Advice>) -> Option<v1::Advice> {
    advice.map(|mut advice| {
        advice.suggested_delay = None;
        if let Some(search) = &mut advice.search {
            search.elapsed = None;
        }
        advice
    })
}

fn message<M: Message + Default>(name: &str, json: &Value) -> M {
    M::decode(&read(name, json).encode_to_vec()[..]).expect("a message")
}

fn read(name: &str, json: &Value) -> DynamicMessage {
    DynamicMessage::deserialize(kind(name), json.clone()).expect("protobuf JSON")
}

fn as_json(message: &DynamicMessage) -> Value {
    serde_json::to_value(message).expect("JSON")
}

fn kind(name: &str) -> MessageDescriptor {
    let pool = DescriptorPool::decode(v1::FILE_DESCRIPTOR_SET).expect("descriptors");
    pool.get_message_by_name(&format!("adamas.v1.{name}"))
        .unwrap_or_else(|| panic!("no message {name}"))
}
