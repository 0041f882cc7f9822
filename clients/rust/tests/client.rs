//! What the client adds to the stubs, against a server whose answers a test writes.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adamas::v1::advisor_service_server::{AdvisorService, AdvisorServiceServer};
use adamas::v1::{
    Advice, AnalyzeRequest, AnalyzeResponse, RecommendBatchRequest, RecommendBatchResponse,
    RecommendRequest, RecommendResponse, SearchLimits, SearchQuery,
};
use adamas::{Builder, Client, Violation};
use tokio::sync::mpsc;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tokio_stream::{Stream, StreamExt};
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::{ErrorDetails, StatusExt};

type Updates = mpsc::Sender<Result<AnalyzeResponse, Status>>;
type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Fails as often as it is told to, then answers; an analysis sends one update and goes on.
#[derive(Clone, Default)]
struct Scripted {
    failures: Arc<Mutex<Vec<Status>>>,
    tries: Arc<AtomicUsize>,
    headers: Arc<Mutex<MetadataMap>>,
    searching: Arc<Mutex<Option<Updates>>>,
}

#[tonic::async_trait]
impl AdvisorService for Scripted {
    type AnalyzeStream = Answers<AnalyzeResponse>;
    type RecommendBatchStream = Answers<RecommendBatchResponse>;

    async fn recommend(
        &self,
        request: Request<RecommendRequest>,
    ) -> Result<Response<RecommendResponse>, Status> {
        self.tries.fetch_add(1, Ordering::SeqCst);
        *self.headers.lock().unwrap() = request.metadata().clone();
        if let Some(failure) = self.failures.lock().unwrap().pop() {
            return Err(failure);
        }
        let advice = Advice {
            legal_moves: 4,
            ..Default::default()
        };
        Ok(Response::new(RecommendResponse {
            advice: Some(advice),
            ..Default::default()
        }))
    }

    async fn analyze(
        &self,
        _: Request<AnalyzeRequest>,
    ) -> Result<Response<Self::AnalyzeStream>, Status> {
        let (sender, receiver) = mpsc::channel(1);
        sender.send(Ok(AnalyzeResponse::default())).await.unwrap();
        *self.searching.lock().unwrap() = Some(sender);
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    async fn recommend_batch(
        &self,
        _: Request<Streaming<RecommendBatchRequest>>,
    ) -> Result<Response<Self::RecommendBatchStream>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

async fn serve(failures: Vec<Status>) -> (Scripted, Builder) {
    let scripted = Scripted {
        failures: Arc::new(Mutex::new(failures)),
        ..Default::default()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(
        tonic::transport::Server::builder()
            .add_service(AdvisorServiceServer::new(scripted.clone()))
            .serve_with_incoming(TcpListenerStream::new(listener)),
    );
    (scripted, Client::builder(format!("http://{address}")))
}

#[tokio::test]
async fn an_error_tells_fields_and_when_to_try_again() {
    let mut details = ErrorDetails::new();
    details
        .set_retry_info(Some(Duration::from_millis(1500)))
        .add_bad_request_violation("query.level", "is 11; use 1 to 10");
    let refusal = Status::with_error_details(Code::ResourceExhausted, "too much to do", details);
    let (_, builder) = serve(vec![refusal]).await;
    let error = builder
        .build()
        .unwrap()
        .recommend(SearchQuery::default())
        .await
        .unwrap_err();
    assert_eq!(error.code, Code::ResourceExhausted);
    assert_eq!(error.retry_after, Some(Duration::from_millis(1500)));
    let violation = Violation {
        field: "query.level".to_owned(),
        description: "is 11; use 1 to 10".to_owned(),
    };
    assert_eq!(error.violations, [violation]);
    assert_eq!(
        error.to_string(),
        "ResourceExhausted: too much to do\n  query.level: is 11; use 1 to 10"
    );
}

#[tokio::test]
async fn a_call_has_a_deadline_of_its_search_time_and_the_grace() {
    let (scripted, builder) = serve(vec![]).await;
    let client = builder.grace(Duration::from_secs(5)).build().unwrap();
    let time = prost_types::Duration {
        seconds: 20,
        nanos: 0,
    };
    let limits = SearchLimits {
        time: Some(time),
        ..Default::default()
    };
    client
        .recommend(SearchQuery {
            limits: Some(limits),
            ..Default::default()
        })
        .await
        .unwrap();
    let headers = scripted.headers.lock().unwrap();
    assert_eq!(headers.get("grpc-timeout").unwrap(), "25000000u");
}

#[tokio::test]
async fn a_try_is_made_again_while_no_server_can_be_had() {
    let starting = || Status::unavailable("starting");
    let (scripted, builder) = serve(vec![starting(), starting()]).await;
    let advice = builder
        .build()
        .unwrap()
        .recommend(SearchQuery::default())
        .await
        .unwrap();
    assert_eq!(advice.legal_moves, 4);
    assert_eq!(scripted.tries.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn no_other_failure_is_tried_again() {
    let (scripted, builder) = serve(vec![Status::internal("broken")]).await;
    let error = builder
        .build()
        .unwrap()
        .recommend(SearchQuery::default())
        .await
        .unwrap_err();
    assert_eq!(error.code, Code::Internal);
    assert_eq!(scripted.tries.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn dropping_an_analysis_stops_the_search() {
    let (scripted, builder) = serve(vec![]).await;
    let client = builder.build().unwrap();
    let mut updates = client.analyze(AnalyzeRequest::default()).await.unwrap();
    updates.next().await.unwrap().unwrap();
    drop(updates);
    let sender = scripted.searching.lock().unwrap().take().unwrap();
    tokio::time::timeout(Duration::from_secs(10), sender.closed())
        .await
        .expect("the search went on");
}

#[tokio::test]
async fn a_token_is_sent_with_every_call() {
    let (scripted, builder) = serve(vec![]).await;
    let client = builder.token("secret").build().unwrap();
    client.recommend(SearchQuery::default()).await.unwrap();
    let headers = scripted.headers.lock().unwrap();
    assert_eq!(headers.get("authorization").unwrap(), "Bearer secret");
}

#[tokio::test]
async fn a_token_is_not_sent_in_the_open() {
    for (address, safe) in [
        ("http://localhost:50051", true),
        ("http://127.0.0.1:50051", true),
        ("http://[::1]:50051", true),
        ("https://example.com", true),
        ("http://example.com:50051", false),
        ("http://10.0.0.1:50051", false),
    ] {
        let built = Client::builder(address).token("secret").build();
        assert_eq!(built.is_ok(), safe, "{address}");
    }
    let trusted = Client::builder("http://10.0.0.1:50051")
        .token("secret")
        .plaintext_token();
    assert!(trusted.build().is_ok());
}
