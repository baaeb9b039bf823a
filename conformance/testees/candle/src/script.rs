//! Scripts: Rust programs that ask candle what the adapter asked it.

use crate::arguments::literal;
use crate::failure::{error, Answer, Failure};
use crate::program::Program;
use crate::recorded::Tensor;
use crate::recorder::{self, Line, Words};
use crate::statements::statements;
use crate::tensors::{self, read_float};
use crate::{operators, VERSION};
use candle_core::DType;
use serde_json::Value;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Writes a program that exits with 1 while candle answers wrongly, or throws where it should answer.
pub fn script(question: &Value) -> Answer<String> {
    let operators = [operators::NAMES, operators::PARTIAL].concat();
    let promised: Vec<String> = operators.iter().map(|name| name.to_string()).collect();
    let program = Program::load(question, &promised)?;
    let is_thrown = question["wrong"].is_null();
    let (asked, main) = if is_thrown { thrown(&program, question)? } else { wrong(&program, question)? };
    let words = |name: &str| question[name].as_str().unwrap_or_default();
    let said = format!("{}\n\n{}\n{}", words("title"), words("note"), HOW.replace("VERSION", VERSION));
    let head: String = said.lines().map(|line| format!("// {line}").trim_end().to_string() + "\n").collect();
    let names = ["DType", "Device", "Result", "Tensor", "Var"];
    let used: Vec<&str> = names.into_iter().filter(|name| asked.contains(name)).collect();
    Ok(format!("{head}\nuse candle_core::{{{}}};\n{USES}\n{asked}\n{main}", used.join(", ")))
}

const HOW: &str = "Exit code: 1 while that is so, 0 once it is mended, 2 where it cannot be asked.

    cargo new asked && cd asked && cargo add candle-core@=VERSION

and `cargo run --release` with this file as src/main.rs.";

const USES: &str = "use std::panic::catch_unwind;
use std::process::ExitCode;
";

const ANSWERED: &str = r#"fn main() -> ExitCode {
    let answer = match catch_unwind(asked) {
        Ok(Ok(answer)) => answer,
        failed => {
            println!("the script fails: {failed:?}");
            return ExitCode::from(2);
        }
    };
    println!("the library answers {answer:?}");
    println!(TRUTH);
WHY    let is_right = TEST;
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
"#;

const THROWN: &str = r#"fn main() -> ExitCode {
    match catch_unwind(asked) {
        Ok(Ok(())) => {
            println!("the library answers");
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => println!("the library fails: {error}"),
        Err(_) => println!("the library panics"),
    }
    println!("it should answer");
    ExitCode::FAILURE
}
"#;

/// Records the calls for a wrong answer, and what compares it.
fn wrong(program: &Program, question: &Value) -> Answer<(String, String)> {
    let wrong = &question["wrong"];
    let Some(place) = wrong["place"].as_u64() else {
        return error("there is no place of a tensor");
    };
    let (answer, lines) = answered(program, question, place as usize)?;
    let (type_name, read, test) = match wrong["element"].as_u64() {
        None => ("Vec<usize>", answer.words().then(".dims().to_vec()"), is_due(&wrong["shape"])),
        Some(element) => ("f64", number(&answer, element), is_right(wrong)?),
    };
    let why = "    // No other number is within the bound that a faithful computation keeps.\n";
    let truth = wrong["truth"].as_str().unwrap_or_default().replace('{', "{{").replace('}', "}}");
    let main = ANSWERED
        .replace("TEST", &test)
        .replace("WHY", if type_name == "f64" { why } else { "" })
        .replace("TRUTH", &format!("{:?}", format!("the true value is   {truth}")));
    let body = statements(lines, Words::said("Ok(").joined(read).then(")"));
    Ok((format!("fn asked() -> Result<{type_name}> {{\n{body}}}\n"), main))
}

/// Returns an answer's tensor at a place, and its calls, without taps where the tensor is the same.
fn answered(program: &Program, question: &Value, place: usize) -> Answer<(Tensor, Vec<Line>)> {
    let mode = question["question"].as_str().unwrap_or_default();
    let (whole, lines) = recorded(|| tensor_at(place, asked(program, question, mode)))?;
    if mode == "backward_dense" {
        if let Ok((plain, fewer)) = recorded(|| tensor_at(place, asked(program, question, "vjp"))) {
            if tensors::write(&plain)? == tensors::write(&whole)? {
                return Ok((plain, fewer));
            }
        }
    }
    Ok((whole, lines))
}

fn tensor_at(place: usize, answer: Answer<Vec<Tensor>>) -> Answer<Tensor> {
    let Some(tensor) = answer?.into_iter().nth(place) else {
        return error(format!("there is no tensor at {place}"));
    };
    Ok(tensor)
}

/// Returns what an action answers, and the calls it made of candle.
fn recorded<T>(action: impl FnOnce() -> Answer<T>) -> Answer<(T, Vec<Line>)> {
    recorder::begin();
    let answer = action();
    let lines = recorder::end();
    Ok((answer?, lines))
}

/// Records the calls up to where candle throws.
fn thrown(program: &Program, question: &Value) -> Answer<(String, String)> {
    recorder::begin();
    let mode = question["question"].as_str().unwrap_or_default();
    let answered = catch_unwind(AssertUnwindSafe(|| asked(program, question, mode)));
    let mut lines = recorder::end();
    match (answered, lines.pop()) {
        (Ok(Ok(_)), _) => error("asked again, it answers"),
        (Ok(Err(Failure::Unsupported(reason))), _) => Err(Failure::Unsupported(reason)),
        (_, None) => error("candle is asked nothing"),
        (_, Some(thrown)) => {
            let body = statements(lines, thrown.text.then(";\n    Ok(())"));
            Ok((format!("fn asked() -> Result<()> {{\n{body}}}\n"), THROWN.to_string()))
        }
    }
}

fn asked(program: &Program, question: &Value, mode: &str) -> Answer<Vec<Tensor>> {
    match mode {
        "evaluate" => program.evaluate(question),
        "vjp" => program.vjp(question),
        "backward_dense" => program.backward_dense(question),
        _ => error(format!("candle has no {mode}")),
    }
}

/// Writes an element of a tensor.
fn number(tensor: &Tensor, element: u64) -> Words {
    let flat = if tensor.rank() == 1 { "" } else { ".flatten_all()?" };
    match tensor.as_bare().dtype() {
        DType::F32 => {
            let read = Words::said("f64::from(").joined(tensor.words());
            read.then(format!("{flat}.to_vec1::<f32>()?[{element}])"))
        }
        _ => tensor.words().then(format!("{flat}.to_vec1::<f64>()?[{element}]")),
    }
}

/// Writes the condition that `answer` is the shape due.
fn is_due(shape: &Value) -> String {
    let is_scalar = shape.as_array().is_some_and(Vec::is_empty);
    if is_scalar {
        "answer.is_empty()".to_string()
    } else {
        format!("answer == {shape}")
    }
}

/// Writes the condition that `answer` is right.
fn is_right(wrong: &Value) -> Answer<String> {
    let end = |name: &str| wrong[name].as_str().and_then(read_float);
    match (end("low"), end("high")) {
        (Some(low), Some(high)) if low == high => Ok(format!("answer == {}", literal(&high, ""))),
        (Some(low), Some(high)) => Ok(format!("({}..={}).contains(&answer)", literal(&low, ""), literal(&high, ""))),
        _ if wrong["right"] == "nan" => Ok("answer.is_nan()".to_string()),
        _ => error("nothing says which numbers are right"),
    }
}
