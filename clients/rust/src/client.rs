use std::time::Duration;

use tokio_stream::{Stream, StreamExt};
use tonic::metadata::MetadataValue;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};

use crate::Error;
use crate::token::{Token, is_loopback};
use crate::v1::advisor_service_client::AdvisorServiceClient;
use crate::v1::rules_service_client::RulesServiceClient;
use crate::v1::{
    Advice, AnalyzeRequest, AnalyzeResponse, RecommendBatchRequest, RecommendBatchResponse,
    RecommendRequest, SearchLimits, SearchQuery,
};

const DEFAULT_SEARCH_TIME: Duration = Duration::from_secs(1);
const MAX_SEARCH_TIME: Duration = Duration::from_secs(60);
const DEFAULT_GRACE: Duration = Duration::from_secs(10);
const MAX_ATTEMPTS: u32 = 4;
const FIRST_BACKOFF: Duration = Duration::from_millis(100);
const MAX_MESSAGE_BYTES: usize = 64 << 20;

type Transport = InterceptedService<Channel, Token>;

/// The calls of the referee: deal, view, legal moves, apply. Their `Status` turns into an
/// [`Error`] by `?`.
pub type Rules = RulesServiceClient<Transport>;

/// A connection to a server, for any number of calls and tasks; clones share it.
///
/// It is made by the first call, and made again whenever it breaks.
#[derive(Clone)]
pub struct Client {
    advisor: AdvisorServiceClient<Transport>,
    rules: Rules,
    grace: Duration,
}

impl Client {
    /// A client of the server at an address such as `http://localhost:50051`; `https` is TLS with a
    /// server that this machine trusts. To be called within a Tokio runtime.
    pub fn new(address: impl Into<String>) -> Result<Self, Error> {
        Self::builder(address).build()
    }

    /// Settings of a client.
    pub fn builder(address: impl Into<String>) -> Builder {
        Builder {
            address: address.into(),
            grace: DEFAULT_GRACE,
            token: None,
            plaintext_token: false,
            tls: None,
        }
    }

    /// Searches a position and answers once. Dropping the future stops the search.
    pub async fn recommend(&self, query: SearchQuery) -> Result<Advice, Error> {
        let timeout = search_time(query.limits.as_ref()) + self.grace;
        let request = RecommendRequest {
            query: Some(query),
            ..Default::default()
        };
        let response = tried(|| {
            let mut advisor = self.advisor.clone();
            let request = timed(request.clone(), timeout);
            async move { advisor.recommend(request).await }
        })
        .await?;
        Ok(response.into_inner().advice.unwrap_or_default())
    }

    /// Searches a position; updates come as often as the request says, the final answer last.
    /// Dropping the stream stops the search.
    pub async fn analyze(
        &self,
        request: AnalyzeRequest,
    ) -> Result<impl Stream<Item = Result<AnalyzeResponse, Error>> + use<>, Error> {
        let limits = request
            .query
            .as_ref()
            .and_then(|query| query.limits.as_ref());
        let timeout = search_time(limits) + self.grace;
        let response = tried(|| {
            let mut advisor = self.advisor.clone();
            let request = timed(request.clone(), timeout);
            async move { advisor.analyze(request).await }
        })
        .await?;
        Ok(response
            .into_inner()
            .map(|update| update.map_err(Error::from)))
    }

    /// Searches many positions over one stream, without a deadline. Each request needs an id of its
    /// own; answers come as searches end.
    pub async fn recommend_batch<S>(
        &self,
        requests: S,
    ) -> Result<impl Stream<Item = Result<RecommendBatchResponse, Error>> + use<S>, Error>
    where
        S: Stream<Item = RecommendBatchRequest> + Send + 'static,
    {
        let response = self.advisor.clone().recommend_batch(requests).await?;
        Ok(response
            .into_inner()
            .map(|answer| answer.map_err(Error::from)))
    }

    /// The calls of the referee.
    pub fn rules(&self) -> Rules {
        self.rules.clone()
    }
}

/// Settings of a client.
pub struct Builder {
    address: String,
    grace: Duration,
    token: Option<String>,
    plaintext_token: bool,
    tls: Option<ClientTlsConfig>,
}

impl Builder {
    /// What a call may take on top of its search time before it fails; 10 seconds if left out.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// What the server knows this client by.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Lets the token be sent to other machines without TLS.
    pub fn plaintext_token(mut self) -> Self {
        self.plaintext_token = true;
        self
    }

    /// Other authorities than this machine's, or a certificate of the client's own.
    pub fn tls(mut self, tls: ClientTlsConfig) -> Self {
        self.tls = Some(tls);
        self
    }

    /// The client; nothing is sent yet. Fails if the address is none, or if others could read the
    /// token on its way.
    pub fn build(self) -> Result<Client, Error> {
        let token = self.checked_token()?;
        let mut endpoint = Endpoint::from_shared(self.address.clone()).map_err(unusable)?;
        if self.encrypted() {
            let tls = self
                .tls
                .unwrap_or_else(|| ClientTlsConfig::new().with_native_roots());
            endpoint = endpoint.tls_config(tls).map_err(unusable)?;
        }
        let channel = endpoint.connect_lazy();
        let transport = InterceptedService::new(channel, token);
        Ok(Client {
            advisor: AdvisorServiceClient::new(transport.clone())
                .max_decoding_message_size(MAX_MESSAGE_BYTES),
            rules: RulesServiceClient::new(transport).max_decoding_message_size(MAX_MESSAGE_BYTES),
            grace: self.grace,
        })
    }

    fn encrypted(&self) -> bool {
        self.tls.is_some() || self.address.starts_with("https:")
    }

    fn checked_token(&self) -> Result<Token, Error> {
        let Some(token) = &self.token else {
            return Ok(Token(None));
        };
        let host = self
            .address
            .parse()
            .ok()
            .and_then(|uri: tonic::transport::Uri| uri.host().map(str::to_owned));
        let stays_here = host.is_some_and(|host| is_loopback(&host));
        if !self.encrypted() && !self.plaintext_token && !stays_here {
            return Err(Error::local(
                Code::InvalidArgument,
                format!(
                    "without TLS, others could read the token on its way to {}; use https, or \
                     plaintext_token where the way is safe",
                    self.address
                ),
            ));
        }
        let value = MetadataValue::try_from(format!("Bearer {token}"))
            .map_err(|_| Error::local(Code::InvalidArgument, "the token has odd characters"))?;
        Ok(Token(Some(value)))
    }
}

fn unusable(error: tonic::transport::Error) -> Error {
    let because = std::error::Error::source(&error)
        .map_or_else(|| error.to_string(), std::string::ToString::to_string);
    Error::local(
        Code::InvalidArgument,
        format!("the address can't be used: {because}"),
    )
}

fn timed<T>(message: T, timeout: Duration) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(timeout);
    request
}

/// How long a search may take. The server answers before that and the grace are over.
fn search_time(limits: Option<&SearchLimits>) -> Duration {
    match limits {
        Some(SearchLimits {
            time: Some(time), ..
        }) => Duration::try_from(*time).unwrap_or(DEFAULT_SEARCH_TIME),
        Some(limits) if limits.iterations > 0 => MAX_SEARCH_TIME,
        _ => DEFAULT_SEARCH_TIME,
    }
}

/// Makes a call, again while no server can be had.
async fn tried<T, F>(call: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Status>>,
{
    let mut attempt = 1;
    loop {
        match call().await {
            Err(status) if status.code() == Code::Unavailable && attempt < MAX_ATTEMPTS => {
                tokio::time::sleep(FIRST_BACKOFF * 2_u32.pow(attempt - 1)).await;
                attempt += 1;
            }
            outcome => return outcome.map_err(Error::from),
        }
    }
}
