//! What is read from requests and written to replies.

use base64::{engine::general_purpose::STANDARD, Engine};
use serde_json::{json, Value};

/// Why there is no answer.
pub enum Failure {
    /// The library does not have it.
    Unsupported(String),
    /// It should have worked, or was asked wrongly.
    Error(String),
}

pub type Answer<T> = Result<T, Failure>;

pub fn error<T>(message: impl Into<String>) -> Answer<T> {
    Err(Failure::Error(message.into()))
}

pub fn decline<T>(reason: impl Into<String>) -> Answer<T> {
    Err(Failure::Unsupported(reason.into()))
}

/// A tensor, row-major: of scalars, or of a message's float64, whatever the precision.
#[derive(Clone)]
pub struct Tensor<T> {
    pub shape: Vec<usize>,
    pub data: Vec<T>,
}

/// Reads either form of a tensor.
pub fn tensor_of(message: &Value) -> Answer<Tensor<f64>> {
    let shape = extents(&message["shape"])?;
    let data: Vec<f64> = match message["base64"].as_str() {
        Some(text) => match STANDARD.decode(text) {
            Ok(bytes) => bytes.chunks(8).map(float_of).collect::<Option<_>>(),
            Err(_) => None,
        },
        None => message["data"].as_array().and_then(|data| data.iter().map(number_of).collect()),
    }
    .map_or_else(|| error("the data of a tensor are no numbers"), Ok)?;
    if data.len() != size(&shape) {
        return error(format!("a tensor of shape {shape:?} has {} elements", data.len()));
    }
    Ok(Tensor { shape, data })
}

fn float_of(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(f64::from_le_bytes)
}

/// Reads a JSON integer or text: a decimal, a hex float as C writes it, inf or nan.
fn number_of(element: &Value) -> Option<f64> {
    let Some(text) = element.as_str() else { return element.as_f64() };
    let digits = text.trim_start_matches('-');
    let Some(hex) = digits.strip_prefix("0x") else { return text.parse().ok() };
    let (mantissa, exponent) = hex.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let bits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * i32::try_from(fraction.len()).ok()?;
    // Two factors reach the subnormal numbers without rounding twice.
    let half = exponent / 2;
    let magnitude = bits as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
    Some(if digits.len() < text.len() { -magnitude } else { magnitude })
}

/// Writes little-endian float64 in base64.
pub fn message_of(tensor: &Tensor<f64>) -> Value {
    let bytes: Vec<u8> = tensor.data.iter().flat_map(|x| x.to_le_bytes()).collect();
    json!({ "shape": tensor.shape, "base64": STANDARD.encode(bytes) })
}

pub fn tensors_of(messages: &Value) -> Answer<Vec<Tensor<f64>>> {
    list(messages)?.iter().map(tensor_of).collect()
}

pub fn list(message: &Value) -> Answer<&Vec<Value>> {
    message.as_array().map_or_else(|| error("a list is missing"), Ok)
}

/// Reads an integer, which JSON may write as 1.0.
pub fn integer(message: &Value) -> Answer<i64> {
    match message.as_f64() {
        Some(x) if x.fract() == 0.0 => Ok(x as i64),
        _ => error(format!("{message} is no integer")),
    }
}

pub fn natural(message: &Value) -> Answer<usize> {
    usize::try_from(integer(message)?).or_else(|_| error(format!("{message} is negative")))
}

pub fn integers(message: &Value) -> Answer<Vec<i64>> {
    list(message)?.iter().map(integer).collect()
}

pub fn extents(message: &Value) -> Answer<Vec<usize>> {
    list(message)?.iter().map(natural).collect()
}

pub fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}
