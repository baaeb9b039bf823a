//! candle: <https://github.com/huggingface/candle>. Tensors in Rust, differentiated by a tape.
//!
//! It speaks the protocol of `docs/protocol.md` on standard input and output. `--without pow,relu` promises
//! fewer operators, so that a search goes on behind a known fault; `--with max_pool` adds one of
//! `operators::PARTIAL`, which candle has in part. With `--script` it reads a JSON list of questions and
//! writes a Rust program for each that asks candle alone.

mod arguments;
mod attributes;
mod failure;
mod lookups;
mod operators;
mod program;
mod recorded;
mod recorder;
mod script;
mod shapes;
mod statements;
mod tensors;
mod windows;

use failure::{error, Answer, Failure};
use program::Program;
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// candle walks its tape by recursion, so it needs this stack.
const STACK: usize = 512 * 1024 * 1024;
/// A reason or a message has at most so many characters.
const WORDS: usize = 4096;
/// The version of candle, as in Cargo.toml.
const VERSION: &str = "0.11.1";

fn main() {
    // candle's panics become answers, and people see their place.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let is_for_scripts = std::env::args().any(|argument| argument == "--script");
    let work = if is_for_scripts { write_scripts } else { serve };
    let working = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let ended = working.map(|thread| thread.join());
    if !matches!(ended, Ok(Ok(Ok(())))) {
        std::process::exit(1);
    }
}

/// Answers every line of standard input in order, until it ends.
fn serve() -> io::Result<()> {
    let promised = promised();
    let mut programs = HashMap::new();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request: Value = serde_json::from_str(&line).unwrap_or_default();
        let Some(id) = request["id"].as_u64() else {
            eprintln!("not a request: {}", line.chars().take(200).collect::<String>());
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut reply = catching(|| answer(&request, &mut programs, &promised)).unwrap_or_else(refusal);
        reply["id"] = json!(id);
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

/// Returns what an action answers; a panic is an error.
fn catching<T>(action: impl FnOnce() -> Answer<T>) -> Answer<T> {
    let caught = catch_unwind(AssertUnwindSafe(action));
    caught.unwrap_or_else(|panic| error(format!("panic: {}", words_of(panic.as_ref()))))
}

/// Reads a list of questions, and writes for each the text of its script, or why there is none.
fn write_scripts() -> io::Result<()> {
    let questions: Vec<Value> = serde_json::from_reader(io::stdin().lock())?;
    let scripts = questions.iter().map(|question| match catching(|| script::script(question)) {
        Ok(text) => json!({ "text": text }),
        Err(Failure::Unsupported(reason) | Failure::Error(reason)) => json!({ "reason": reason }),
    });
    writeln!(io::stdout(), "{}", scripts.collect::<Value>())
}

fn answer(request: &Value, programs: &mut HashMap<u64, Program>, promised: &[String]) -> Answer<Value> {
    let kind = request["kind"].as_str().unwrap_or_default();
    if kind == "hello" {
        return Ok(hello(promised));
    }
    let Some(number) = request["program"].as_u64() else {
        return error("no program is named");
    };
    match kind {
        "load" => {
            programs.insert(number, Program::load(request, promised)?);
            return Ok(json!({ "kind": "done" }));
        }
        "unload" => {
            programs.remove(&number);
            return Ok(json!({ "kind": "done" }));
        }
        _ => {}
    }
    let Some(program) = programs.get(&number) else {
        return error(format!("program {number} is not loaded"));
    };
    let tensors = match kind {
        "evaluate" => program.evaluate(request)?,
        "vjp" => program.vjp(request)?,
        "backward_dense" => program.backward_dense(request)?,
        _ => return Err(Failure::Unsupported(format!("candle has no {kind}"))),
    };
    Ok(json!({ "kind": "tensors", "tensors": tensors.iter().map(tensors::write).collect::<Answer<Vec<_>>>()? }))
}

/// Describes candle and its conventions; `conformance/testees/candle.test.ts` checks them.
fn hello(promised: &[String]) -> Value {
    json!({
        "kind": "hello",
        "protocol": 1,
        "name": "candle",
        "version": VERSION,
        "language": "Rust",
        "links": ["https://github.com/huggingface/candle"],
        "dtypes": ["float64", "float32"],
        "operators": promised,
        // candle has no forward mode.
        "modes": ["evaluate", "vjp", "backward_dense"],
        "conventions": { "maximumAtTie": "split", "reluAtZero": "one", "compositeKinks": "own" },
        "accuracy": {},
    })
}

/// Returns the promised operators, less those left out and with those added on the command line.
fn promised() -> Vec<String> {
    let (without, with) = (listed("--without"), listed("--with"));
    let whole = operators::NAMES.iter().filter(|name| !without.iter().any(|other| other == *name));
    let partial = operators::PARTIAL.iter().filter(|name| with.iter().any(|other| other == *name));
    whole.chain(partial).map(|name| name.to_string()).collect()
}

/// Returns the words after a flag, separated by commas.
fn listed(flag: &str) -> Vec<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != flag).skip(1);
    arguments.next().map_or_else(Vec::new, |list| list.split(',').map(String::from).collect())
}

fn refusal(failure: Failure) -> Value {
    let short = |text: String| text.chars().take(WORDS).collect::<String>();
    match failure {
        Failure::Unsupported(reason) => json!({ "kind": "unsupported", "reason": short(reason) }),
        Failure::Error(message) => json!({ "kind": "error", "message": short(message) }),
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without words").to_string()
}
