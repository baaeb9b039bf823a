//! One arm for each operator that candle-core has.

use crate::attributes::Attributes;
use crate::failure::{error, unsupported, Answer};
use crate::recorded::Tensor;
use crate::tensors::Numbers;
use crate::{lookups, shapes, windows};
use candle_core::{DType, Device};
use std::collections::HashMap;

/// The promised operators. candle-core lacks log1p, tan, atan2, solve, sigmoid and more, and its `round`
/// takes halves away from zero, not to even.
pub const NAMES: &[&str] = &[
    "constant", "full", "iota", "stop_gradient", "negative", "exp", "log", "sin", "cos", "tanh", "sqrt", "relu",
    "floor", "erf", "add", "subtract", "multiply", "divide", "maximum", "less", "equal", "pow", "where", "sum",
    "broadcast_to", "reshape", "permute_dims", "concat", "take", "slice", "pad", "take_along_axis", "gather",
    "scatter_add", "cumulative_sum", "matmul", "abs", "sign", "square", "reciprocal", "ceil", "minimum", "clip",
    "not_equal", "less_equal", "greater", "greater_equal", "silu", "elu", "gelu", "conv", "embedding", "mean",
    "max", "min", "logsumexp", "argmax", "stack", "split", "flip", "roll", "tile", "sort",
];

/// Operators that candle has in part: without padding, for images, or without a derivative.
pub const PARTIAL: &[&str] = &["conv_transpose", "max_pool", "avg_pool"];

/// What an operator uses besides its operands.
pub struct Scope<'a> {
    pub dtype: DType,
    pub environment: &'a HashMap<String, Numbers>,
}

impl Scope<'_> {
    pub fn entry(&self, name: &str) -> Answer<&Numbers> {
        self.environment.get(name).map_or_else(|| error(format!("there is no entry {name}")), Ok)
    }

    /// Turns a comparison's truth values into numbers 0 and 1.
    fn numbers(&self, truths: candle_core::Result<Tensor>) -> Answer<Tensor> {
        Ok(truths?.to_dtype(self.dtype)?)
    }
}

/// Computes an operator. Fails where the count of operands is wrong.
pub fn apply(op: &str, given: &Attributes, operands: &[&Tensor], scope: &Scope) -> Answer<Tensor> {
    match operands {
        [] => nullary(op, given, scope),
        many if op == "concat" => Ok(Tensor::cat(many, given.natural("axis")?)?),
        many if op == "stack" => Ok(Tensor::stack(many, given.natural("axis")?)?),
        [x] => unary(op, given, x, scope),
        [x, y] => binary(op, given, x, y, scope),
        [x, y, z] => ternary(op, x, y, z),
        _ => error(format!("{op} has not {} operands", operands.len())),
    }
}

fn nullary(op: &str, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    match op {
        "constant" => scope.entry(given.text("name")?)?.tensor(scope.dtype),
        "full" => {
            let value = given.real("value")?;
            Ok(Tensor::full(value, given.naturals("shape")?, &Device::Cpu)?.to_dtype(scope.dtype)?)
        }
        "iota" => {
            let (shape, axis) = (given.naturals("shape")?, given.natural("axis")?);
            let column: Vec<usize> = shape.iter().enumerate().map(|(i, n)| if i == axis { *n } else { 1 }).collect();
            let count = Tensor::arange(0u32, column[axis] as u32, &Device::Cpu)?.to_dtype(scope.dtype)?;
            Ok(count.reshape(column)?.broadcast_as(shape)?)
        }
        _ => error(format!("{op} has operands")),
    }
}

fn unary(op: &str, given: &Attributes, x: &Tensor, scope: &Scope) -> Answer<Tensor> {
    Ok(match op {
        "stop_gradient" => x.detach(),
        "negative" => x.neg()?,
        "exp" => x.exp()?,
        "log" => x.log()?,
        "sin" => x.sin()?,
        "cos" => x.cos()?,
        "tanh" => x.tanh()?,
        "sqrt" => x.sqrt()?,
        "relu" => x.relu()?,
        "floor" => x.floor()?,
        "erf" => x.erf()?,
        "abs" => x.abs()?,
        "sign" => x.sign()?,
        "square" => x.sqr()?,
        "reciprocal" => x.recip()?,
        "ceil" => x.ceil()?,
        "silu" => x.silu()?,
        "elu" => x.elu(given.real("alpha")?)?,
        "gelu" if given.text("approximate")? == "tanh" => x.gelu()?,
        "gelu" => x.gelu_erf()?,
        "sum" if given.flag("keepdims")? => x.sum_keepdim(given.naturals("axes")?)?,
        "sum" => x.sum(given.naturals("axes")?)?,
        "mean" if given.flag("keepdims")? => x.mean_keepdim(given.naturals("axes")?)?,
        "mean" => x.mean(given.naturals("axes")?)?,
        "max" => along_axes(x, given, |x, axis| x.max_keepdim(axis))?,
        "min" => along_axes(x, given, |x, axis| x.min_keepdim(axis))?,
        "logsumexp" => {
            let axes = given.naturals("axes")?;
            x.log_sum_exp(axes.clone())?.reshape(reduced(x, &axes, given.flag("keepdims")?))?
        }
        "argmax" if given.flag("keepdims")? => scope.numbers(x.argmax_keepdim(given.natural("axis")?))?,
        "argmax" => scope.numbers(x.argmax(given.natural("axis")?))?,
        "cumulative_sum" => x.cumsum(given.natural("axis")?)?,
        "sort" => {
            let (axis, last) = (given.natural("axis")?, x.rank() - 1);
            let rows = x.transpose(axis, last)?.contiguous()?;
            rows.sort_last_dim(!given.flag("descending")?)?.0.transpose(axis, last)?
        }
        "broadcast_to" => x.broadcast_as(given.naturals("shape")?)?,
        "reshape" => x.reshape(given.naturals("shape")?)?,
        "permute_dims" => x.permute(given.naturals("axes")?)?,
        "slice" => shapes::slice(x, given)?,
        "pad" => shapes::pad(x, given)?,
        "split" => shapes::split(x, given)?,
        "flip" => x.contiguous()?.flip(&given.naturals("axes")?)?,
        "roll" => match given.integer("shift")?.try_into() {
            Ok(shift) => x.roll(shift, given.natural("axis")?)?,
            Err(_) => return unsupported("a shift is an i32"),
        },
        "tile" => shapes::tile(x, given)?,
        "take" => lookups::take(x, given, scope)?,
        "take_along_axis" => lookups::take_along_axis(x, given, scope)?,
        "gather" => lookups::gather(x, given, scope)?,
        "embedding" => lookups::embedding(x, given, scope)?,
        "max_pool" => windows::max_pool(x, given)?,
        "avg_pool" => windows::avg_pool(x, given)?,
        _ => return error(format!("{op} has not one operand")),
    })
}

fn binary(op: &str, given: &Attributes, x: &Tensor, y: &Tensor, scope: &Scope) -> Answer<Tensor> {
    Ok(match op {
        "add" => x.add(y)?,
        "subtract" => x.sub(y)?,
        "multiply" => x.mul(y)?,
        "divide" => x.div(y)?,
        "maximum" => x.maximum(y)?,
        "minimum" => x.minimum(y)?,
        "pow" => x.pow(y)?,
        "less" => scope.numbers(x.lt(y))?,
        "equal" => scope.numbers(x.eq(y))?,
        "not_equal" => scope.numbers(x.ne(y))?,
        "less_equal" => scope.numbers(x.le(y))?,
        "greater" => scope.numbers(x.gt(y))?,
        "greater_equal" => scope.numbers(x.ge(y))?,
        "matmul" => shapes::matmul(x, y)?,
        "scatter_add" => lookups::scatter_add(x, y, given, scope)?,
        "conv" => windows::conv(x, y, given)?,
        "conv_transpose" => windows::conv_transpose(x, y, given)?,
        _ => return error(format!("{op} has not two operands")),
    })
}

fn ternary(op: &str, x: &Tensor, y: &Tensor, z: &Tensor) -> Answer<Tensor> {
    match op {
        "where" => Ok(x.ne(&x.zeros_like()?)?.where_cond(y, z)?),
        "clip" => Ok(x.clamp(y, z)?),
        _ => error(format!("{op} has not three operands")),
    }
}

/// Reduces axis by axis, as candle's own `log_sum_exp` does, since its maxima are along one axis.
fn along_axes(
    x: &Tensor,
    given: &Attributes,
    reduce: impl Fn(&Tensor, usize) -> candle_core::Result<Tensor>,
) -> Answer<Tensor> {
    let axes = given.naturals("axes")?;
    let kept = axes.iter().try_fold(x.clone(), |value, axis| reduce(&value, *axis))?;
    Ok(kept.reshape(reduced(x, &axes, given.flag("keepdims")?))?)
}

fn reduced(x: &Tensor, axes: &[usize], keepdims: bool) -> Vec<usize> {
    let extents = x.dims().iter().enumerate();
    if keepdims {
        return extents.map(|(axis, n)| if axes.contains(&axis) { 1 } else { *n }).collect();
    }
    extents.filter(|(axis, _)| !axes.contains(axis)).map(|(_, n)| *n).collect()
}
