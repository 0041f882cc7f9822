use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::v1::SearchError;

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field, such as `query.view.diamonds.hand[3]`.
    pub field: String,
    /// What is wrong and what would be right.
    pub description: String,
}

/// Why a call has no answer.
#[derive(Clone, Debug)]
pub struct Error {
    /// The status of the call.
    pub code: Code,
    /// What is wrong, for people.
    pub message: String,
    /// What is wrong with the request, field by field.
    pub violations: Vec<Violation>,
    /// After how long the server suggests to try again.
    pub retry_after: Option<Duration>,
}

impl Error {
    pub(crate) fn local(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            violations: Vec::new(),
            retry_after: None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}: {}", self.code, self.message)?;
        for violation in &self.violations {
            write!(out, "\n  {}: {}", violation.field, violation.description)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let details = status.get_error_details();
        let wrong = details.bad_request().into_iter();
        let against = details.precondition_failure().into_iter();
        let violations = wrong
            .flat_map(|found| &found.field_violations)
            .map(|violation| (&violation.field, &violation.description))
            .chain(
                against
                    .flat_map(|found| &found.violations)
                    .map(|violation| (&violation.subject, &violation.description)),
            )
            .map(|(field, description)| Violation {
                field: field.clone(),
                description: description.clone(),
            })
            .collect();
        // A deadline that has passed on this side is a status of the transport's own.
        let late = status.code() == Code::Cancelled && status.message() == "Timeout expired";
        Self {
            code: if late {
                Code::DeadlineExceeded
            } else {
                status.code()
            },
            message: status.message().to_owned(),
            violations,
            retry_after: details.retry_info().and_then(|found| found.retry_delay),
        }
    }
}

/// The error of one search of a batch, the same as a call's.
impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        use prost::Message;

        let code = Code::from_i32(error.code);
        let message = error.message.clone();
        // Fields and wire format are those of google.rpc.Status.
        Status::with_details(code, message, error.encode_to_vec().into()).into()
    }
}
