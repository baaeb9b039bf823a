//! Writes down what is asked of candle, line by line, beside asking it; off unless a script is asked for.

use std::borrow::Cow;
use std::cell::RefCell;

thread_local! {
    static LINES: RefCell<Option<Vec<Line>>> = const { RefCell::new(None) };
}

/// A call, and the letter of the name that its value gets. Its value is known by its place among the lines.
pub struct Line {
    pub letter: char,
    pub text: Words,
}

/// The text of an expression; nothing while nothing is written down.
#[derive(Clone, Default)]
pub struct Words(pub Vec<Word>);

#[derive(Clone)]
pub enum Word {
    Said(Cow<'static, str>),
    /// What the line at that place has made.
    Made(usize),
}

impl Words {
    pub fn said(text: impl Into<Cow<'static, str>>) -> Self {
        Words(vec![Word::Said(text.into())])
    }

    /// These words and what follows them. Nothing follows nothing.
    pub fn then(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        if !self.0.is_empty() {
            self.0.push(Word::Said(text.into()));
        }
        self
    }

    pub fn joined(self, more: Words) -> Self {
        Words([self.0, more.0].concat())
    }

    /// The call of what these words name, which may fail.
    pub fn called(self, arguments: Vec<Words>) -> Self {
        let mut call = self.then("(");
        for (place, argument) in arguments.into_iter().enumerate() {
            call = if place > 0 { call.then(", ") } else { call }.joined(argument);
        }
        call.then(")?")
    }
}

/// From here on, what this thread asks is written down.
pub fn begin() {
    LINES.set(Some(Vec::new()));
}

/// What was asked since the beginning, also if the last line panicked.
pub fn end() -> Vec<Line> {
    LINES.take().unwrap_or_default()
}

/// Writes down a call that is about to be made, so that one that fails is the last. The words for its value.
pub fn write(letter: char, text: impl FnOnce() -> Words) -> Words {
    LINES.with_borrow_mut(|lines| match lines {
        None => Words::default(),
        Some(lines) => {
            lines.push(Line { letter, text: text() });
            Words(vec![Word::Made(lines.len() - 1)])
        }
    })
}
