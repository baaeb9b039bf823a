//! Asks a library of scalars, dual numbers or a tape, on behalf of adjudge.
//!
//! An adapter says what a scalar is and which functions the library has; the kit speaks the protocol
//! (`docs/protocol.md` of adjudge), moves elements, adds them up and multiplies matrices. Composites need no
//! code: adjudge writes out, in primitives, those that are not promised.

mod call;
mod messages;
mod places;
mod run;
mod serve;
mod structure;

use serde_json::Value;
use std::collections::BTreeMap;

/// A function of the library, of as many scalars as its operator has operands.
pub type Function<S> = fn(&[S]) -> S;

type Boxed<'a, S> = Box<dyn Fn(&[S]) -> S + 'a>;

/// A library whose numbers are `S`. Without `forward` and `reverse` it is asked for values alone.
pub struct Scalars<S> {
    name: String,
    version: String,
    constant: fn(f64) -> S,
    value: fn(&S) -> f64,
    dtype: String,
    operators: BTreeMap<String, Function<S>>,
    forward: Option<Forward<S>>,
    reverse: Option<Reverse<S>>,
    declared: Vec<(String, Value)>,
}

struct Forward<S> {
    dual: fn(f64, f64) -> S,
    tangent: fn(&S) -> f64,
}

struct Reverse<S> {
    record: fn(&[f64]) -> Vec<S>,
    gradient: fn(&S, &[S]) -> Vec<f64>,
}

impl<S: Clone> Scalars<S> {
    /// `constant` makes a number that is not differentiated; `value` reads one.
    pub fn new(name: &str, version: &str, constant: fn(f64) -> S, value: fn(&S) -> f64) -> Self {
        Scalars {
            name: name.into(),
            version: version.into(),
            constant,
            value,
            dtype: "float64".into(),
            operators: BTreeMap::new(),
            forward: None,
            reverse: None,
            declared: vec![],
        }
    }

    /// `dual` makes a number with a tangent; `tangent` reads the tangent of one.
    pub fn forward(mut self, dual: fn(f64, f64) -> S, tangent: fn(&S) -> f64) -> Self {
        self.forward = Some(Forward { dual, tangent });
        self
    }

    /// `record` begins a tape with inputs; `gradient` differentiates a number by all of them, in their order.
    pub fn reverse(mut self, record: fn(&[f64]) -> Vec<S>, gradient: fn(&S, &[S]) -> Vec<f64>) -> Self {
        self.reverse = Some(Reverse { record, gradient });
        self
    }

    /// Adds functions of the library by the names of adjudge's operators.
    pub fn operators<const N: usize>(mut self, functions: [(&str, Function<S>); N]) -> Self {
        self.operators.extend(functions.map(|(name, function)| (name.into(), function)));
        self
    }

    /// Names the precision that the library computes in, which is float64 unless told; `constant` rounds to it.
    pub fn dtype(mut self, dtype: &str) -> Self {
        self.dtype = dtype.into();
        self
    }

    /// Declares a field of the handshake, such as `links` or `conventions`.
    pub fn declare(mut self, field: &str, value: Value) -> Self {
        self.declared.push((field.into(), value));
        self
    }

    /// Answers requests on standard input until it ends.
    pub fn serve(self) {
        std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
        let ended = self.answer(std::io::stdin().lock(), std::io::stdout().lock());
        if let Err(failure) = ended {
            eprintln!("{failure}");
            std::process::exit(1);
        }
    }

    /// Reads a request per line and writes its reply. Fails at a line that is no request.
    pub fn answer(&self, input: impl std::io::BufRead, output: impl std::io::Write) -> std::io::Result<()> {
        serve::answer(self, input, output)
    }

    fn truth(&self, yes: bool) -> S {
        (self.constant)(f64::from(u8::from(yes)))
    }

    /// The functions of the library, and what a user writes with comparisons of values.
    fn pointwise(&self, op: &str) -> Option<Boxed<'_, S>> {
        if let Some(function) = self.operators.get(op) {
            return Some(Box::new(function));
        }
        let value = self.value;
        let kept = |yes: bool, x: &S, y: &S| if yes { x.clone() } else { y.clone() };
        Some(match op {
            "where" => Box::new(move |x| kept(value(&x[0]) != 0.0, &x[1], &x[2])),
            "less" => Box::new(move |x| self.truth(value(&x[0]) < value(&x[1]))),
            "equal" => Box::new(move |x| self.truth(value(&x[0]) == value(&x[1]))),
            "floor" => Box::new(move |x| (self.constant)(value(&x[0]).floor())),
            "stop_gradient" => Box::new(move |x| (self.constant)(value(&x[0]))),
            "relu" => Box::new(move |x| kept(value(&x[0]) <= 0.0, &(self.constant)(0.0), &x[0])),
            "maximum" => Box::new(move |x| {
                let y = value(&x[1]);
                kept(value(&x[0]) < y || y.is_nan(), &x[1], &x[0])
            }),
            _ => return None,
        })
    }
}

/// These operators need no function of the library.
const CHOICES: [&str; 7] = ["where", "less", "equal", "floor", "stop_gradient", "relu", "maximum"];
