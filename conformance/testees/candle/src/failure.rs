//! Why a request has no tensors for an answer.

/// What candle does not have, or what went wrong.
pub enum Failure {
    /// Never an accusation: the operator, precision, shape or mode is not there.
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
    /// candle says itself where it has no derivative; the rest are errors. Their first line, without a backtrace.
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
