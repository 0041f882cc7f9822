//! A client of Adamas, an AI opponent for games with hidden information.
//!
//! ```no_run
//! # async fn hint(view: adamas::v1::PlayerView) -> Result<(), adamas::Error> {
//! use adamas::v1::{SearchLimits, SearchQuery, search_query::Position};
//!
//! let client = adamas::Client::new("http://localhost:50051")?;
//! let advice = client
//!     .recommend(SearchQuery {
//!         position: Some(Position::View(view)),
//!         limits: Some(SearchLimits { iterations: 1000, ..Default::default() }),
//!         ..Default::default()
//!     })
//!     .await?;
//! println!("{} - {}", advice.candidates[0].words, advice.candidates[0].reason);
//! # Ok(())
//! # }
//! ```
//!
//! The messages and stubs are [`v1`], generated from the protos. [`Client`] is these with what every
//! frontend needs around them: deadlines, tries while no server can be had, TLS and a token, and
//! errors that name the fields at fault (see [`Error`]).

mod client;
mod error;
mod token;

/// The messages and stubs, generated from adamas/v1/*.proto.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    tonic::include_proto!("adamas.v1");

    /// The compiled protos, for reflection.
    pub const FILE_DESCRIPTOR_SET: &[u8] =
        include_bytes!(concat!(env!("OUT_DIR"), "/adamas.binpb"));
}

pub use client::{Builder, Client, Rules};
pub use error::{Error, Violation};
