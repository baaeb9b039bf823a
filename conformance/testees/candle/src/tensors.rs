//! Numbers of messages: float64 in base64, or text as C's `%a` writes it.

use crate::failure::{error, Answer};
use crate::recorded::{Tensor, Var};
use base64::{engine::general_purpose::STANDARD, Engine};
use candle_core::{DType, Device};
use serde_json::{json, Value};

/// A tensor of a message: float64 whatever the precision, row-major.
pub struct Numbers {
    pub shape: Vec<usize>,
    pub data: Vec<f64>,
}

impl Numbers {
    pub fn read(message: &Value) -> Answer<Self> {
        let Some(shape) = extents(&message["shape"]) else {
            return error("a tensor has no shape");
        };
        let data = match (&message["base64"], &message["data"]) {
            (Value::String(text), _) => from_base64(text)?,
            (_, Value::Array(elements)) => elements.iter().map(read_element).collect::<Answer<_>>()?,
            _ => return error("a tensor has neither base64 nor data"),
        };
        if data.len() != shape.iter().product::<usize>() {
            return error(format!("a tensor of shape {shape:?} has {} elements", data.len()));
        }
        Ok(Numbers { shape, data })
    }

    /// Makes candle's tensor of the elements, rounded to the precision.
    pub fn tensor(&self, dtype: DType) -> Answer<Tensor> {
        Ok(match dtype {
            DType::F32 => Tensor::from_slice(&self.singles(), self.shape.as_slice(), &Device::Cpu)?,
            _ => Tensor::from_slice(&self.data, self.shape.as_slice(), &Device::Cpu)?,
        })
    }

    /// Makes a variable that holds it.
    pub fn variable(&self, dtype: DType) -> Answer<Var> {
        Ok(match dtype {
            DType::F32 => Var::from_slice(&self.singles(), self.shape.as_slice(), &Device::Cpu)?,
            _ => Var::from_slice(&self.data, self.shape.as_slice(), &Device::Cpu)?,
        })
    }

    fn singles(&self) -> Vec<f32> {
        self.data.iter().map(|x| *x as f32).collect()
    }

    /// Returns the elements of an entry of kind `index`.
    pub fn indices(&self) -> Answer<Vec<usize>> {
        let natural = |x: &f64| *x >= 0.0 && x.fract() == 0.0 && *x < 2f64.powi(32);
        match self.data.iter().find(|x| !natural(x)) {
            Some(odd) => error(format!("{odd} is no index")),
            None => Ok(self.data.iter().map(|x| *x as usize).collect()),
        }
    }
}

/// Writes a tensor for a message: little-endian float64 in base64.
pub fn write(tensor: &Tensor) -> Answer<Value> {
    let data = tensor.as_bare().to_dtype(DType::F64)?.flatten_all()?.to_vec1::<f64>()?;
    let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_le_bytes()).collect();
    Ok(json!({ "shape": tensor.dims(), "base64": STANDARD.encode(bytes) }))
}

/// Reads a list of natural numbers.
pub fn extents(value: &Value) -> Option<Vec<usize>> {
    let natural = |x: &Value| x.as_f64().filter(|x| *x >= 0.0 && x.fract() == 0.0).map(|x| x as usize);
    value.as_array()?.iter().map(natural).collect()
}

fn from_base64(text: &str) -> Answer<Vec<f64>> {
    match STANDARD.decode(text) {
        Ok(bytes) if bytes.len() % 8 == 0 => {
            let float = |eight: &[u8]| f64::from_le_bytes(std::array::from_fn(|i| eight[i]));
            Ok(bytes.chunks_exact(8).map(float).collect())
        }
        _ => error("the base64 does not hold float64"),
    }
}

fn read_element(element: &Value) -> Answer<f64> {
    let number = match element {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => read_float(text),
        _ => None,
    };
    number.map_or_else(|| error(format!("{element} is no number")), Ok)
}

/// Reads `-0x1.8p+1`, `0.1`, `inf`, `-inf` or `nan`.
pub fn read_float(text: &str) -> Option<f64> {
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let Some(hexadecimal) = magnitude.strip_prefix("0x") else {
        return magnitude.parse::<f64>().ok().map(|number| sign * number);
    };
    let (digits, exponent) = hexadecimal.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32;
    // 53 bits are exact, and one of two factors is a power of two in range, so only the last product rounds.
    let half = exponent / 2;
    Some(sign * (mantissa as f64 * 2f64.powi(half)) * 2f64.powi(exponent - half))
}
