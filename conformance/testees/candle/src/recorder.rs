//! Records calls of candle line by line as they are made; off unless a script is asked for.

use std::borrow::Cow;
use std::cell::RefCell;

thread_local! {
    static LINES: RefCell<Option<Vec<Line>>> = const { RefCell::new(None) };
}

/// A call, and the first letter of its value's name; the line's place identifies the value.
pub struct Line {
    pub letter: char,
    pub text: Words,
}

/// The text of an expression; empty while nothing is recorded.
#[derive(Clone, Default)]
pub struct Words(pub Vec<Word>);

#[derive(Clone)]
pub enum Word {
    Said(Cow<'static, str>),
    /// The value of the line at that place.
    Made(usize),
}

impl Words {
    pub fn said(text: impl Into<Cow<'static, str>>) -> Self {
        Words(vec![Word::Said(text.into())])
    }

    /// Appends text, unless nothing is recorded.
    pub fn then(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        if !self.0.is_empty() {
            self.0.push(Word::Said(text.into()));
        }
        self
    }

    pub fn joined(self, more: Words) -> Self {
        Words([self.0, more.0].concat())
    }

    /// Calls what these words name, which may fail.
    pub fn called(self, arguments: Vec<Words>) -> Self {
        let mut call = self.then("(");
        for (place, argument) in arguments.into_iter().enumerate() {
            call = if place > 0 { call.then(", ") } else { call }.joined(argument);
        }
        call.then(")?")
    }
}

/// Starts recording on this thread.
pub fn begin() {
    LINES.set(Some(Vec::new()));
}

/// Returns the lines since the beginning, even if the last one panicked.
pub fn end() -> Vec<Line> {
    LINES.take().unwrap_or_default()
}

/// Records a call before it is made, so that a failing one is the last; returns words for its value.
pub fn write(letter: char, text: impl FnOnce() -> Words) -> Words {
    LINES.with_borrow_mut(|lines| match lines {
        None => Words::default(),
        Some(lines) => {
            lines.push(Line { letter, text: text() });
            Words(vec![Word::Made(lines.len() - 1)])
        }
    })
}
