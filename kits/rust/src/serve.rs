//! The conversation: a reply for each request.

use crate::messages::{decline, error, list, message_of, Answer, Failure};
use crate::run::Run;
use crate::structure::parents;
use crate::Scalars;
use serde_json::{json, Value};
use std::any::Any;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A message has at most so many characters.
const WORDS: usize = 4000;

pub fn answer<S: Clone>(library: &Scalars<S>, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut graphs = HashMap::new();
    for line in input.lines() {
        let line = line?;
        let request: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(id) = request["id"].as_u64() else {
            let start: String = line.chars().take(200).collect();
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("not a request: {start}")));
        };
        let caught = catch_unwind(AssertUnwindSafe(|| library.reply(&request, &mut graphs)));
        let mut reply = match caught.unwrap_or_else(|panic| error(words_of(panic.as_ref()))) {
            Ok(reply) => reply,
            Err(Failure::Unsupported(reason)) => json!({ "kind": "unsupported", "reason": cut(&reason) }),
            Err(Failure::Error(message)) => json!({ "kind": "error", "message": cut(&message) }),
        };
        reply["id"] = json!(id);
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

fn cut(text: &str) -> String {
    text.chars().take(WORDS).collect()
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("of another kind"))
}

impl<S: Clone> Scalars<S> {
    fn modes(&self) -> Vec<&str> {
        let all = [
            ("evaluate", true),
            ("jvp", self.forward.is_some()),
            ("vjp", self.reverse.is_some()),
            ("backward_dense", self.reverse.is_some() && self.has("add")),
        ];
        all.into_iter().filter(|(_, has)| *has).map(|(mode, _)| mode).collect()
    }

    fn hello(&self) -> Value {
        let mut hello = json!({
            "kind": "hello", "protocol": 1, "name": self.name, "version": self.version, "language": "Rust",
            "links": [], "dtypes": [self.dtype], "operators": self.promised(), "modes": self.modes(),
            "conventions": { "compositeKinks": "own" }, "accuracy": {},
        });
        for (field, value) in &self.declared {
            hello[field] = value.clone();
        }
        hello
    }

    fn reply(&self, request: &Value, graphs: &mut HashMap<u64, Value>) -> Answer<Value> {
        let kind = request["kind"].as_str().unwrap_or_default();
        if kind == "hello" {
            return Ok(self.hello());
        }
        let Some(program) = request["program"].as_u64() else { return error("no program is named") };
        match kind {
            "load" => {
                self.check(request)?;
                graphs.insert(program, request["graph"].clone());
                return Ok(json!({ "kind": "done" }));
            }
            "unload" => {
                graphs.remove(&program);
                return Ok(json!({ "kind": "done" }));
            }
            _ => {}
        }
        let Some(graph) = graphs.get(&program) else { return error(format!("program {program} is not loaded")) };
        if !self.modes().contains(&kind) {
            return decline(format!("{} has no {kind}", self.name));
        }
        let tensors = Run::of(self, graph, request)?.answer(kind)?;
        Ok(json!({ "kind": "tensors", "tensors": tensors.iter().map(message_of).collect::<Vec<_>>() }))
    }

    fn check(&self, request: &Value) -> Answer<()> {
        if request["dtype"] != self.dtype.as_str() {
            return decline(format!("no precision {}", request["dtype"]));
        }
        let inputs = list(&request["graph"]["inputs"])?.len();
        for (place, node) in list(&request["graph"]["nodes"])?.iter().enumerate() {
            let op = node["op"].as_str().unwrap_or_default();
            if !self.promised().contains(&op) {
                return decline(format!("no operator {op}"));
            }
            parents(node, inputs + place)?;
        }
        Ok(())
    }
}
