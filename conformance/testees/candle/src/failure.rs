//! Failures, for which a request has no tensors as an answer.

/// Why there is no answer: candle lacks something, or something went wrong.
pub enum Failure {
    /// The operator, precision, shape or mode is missing; this is no accusation.
    Unsupported(String),
    /// It should have worked and did not, or the request makes no sense.
    Error(String),
}

pub type Answer<T> = Result<T, Failure>;

pub fn unsupported<T>(reason: impl Into<String>) -> Answer<T> {
    Err(Failure::Unsupported(reason.into()))
}

pub fn error<T>(message: impl Into<String>) -> Answer<T> {
    Err(Failure::Error(message.into()))
}

impl From<candle_core::Error> for Failure {
    /// Sorts candle's errors: it says where it lacks a derivative. Keeps the first line, without a backtrace.
    fn from(thrown: candle_core::Error) -> Self {
        let text = thrown.to_string();
        let line = text.lines().next().unwrap_or_default().to_string();
        if line.contains("backward not supported") || line.contains("backward is not supported") {
            Failure::Unsupported(line)
        } else {
            Failure::Error(line)
        }
    }
}
