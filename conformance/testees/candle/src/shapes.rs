//! Moves that candle has for one axis at a time.

use crate::attributes::Attributes;
use crate::failure::{error, Answer};
use crate::recorded::Tensor;
use candle_core::Device;

/// Slices by `narrow` for a step of 1, else by `index_select`, as candle has no steps.
pub fn slice(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let starts = given.integers("starts")?;
    let (stops, steps) = (given.integers("stops")?, given.integers("steps")?);
    let mut value = x.clone();
    for (axis, extent) in x.dims().iter().enumerate() {
        let (first, count) = sliced(*extent as i64, starts[axis], stops[axis], steps[axis]);
        value = if steps[axis] == 1 {
            // An empty part may begin anywhere, but candle wants its start inside.
            value.narrow(axis, if count == 0 { 0 } else { first as usize }, count)?
        } else {
            let indices: Vec<u32> = (0..count).map(|i| (first + i as i64 * steps[axis]) as u32).collect();
            value.contiguous()?.index_select(&Tensor::from_slice(&indices, count, &Device::Cpu)?, axis)?
        };
    }
    Ok(value)
}

/// Returns first index and count of Python's `range(*slice(start, stop, step).indices(extent))`.
fn sliced(extent: i64, start: i64, stop: i64, step: i64) -> (i64, usize) {
    let (least, greatest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clamped = |index: i64| (if index < 0 { index + extent } else { index }).clamp(least, greatest);
    let (first, distance) = (clamped(start), clamped(stop) - clamped(start));
    let count = if distance.signum() == step.signum() { (distance.abs() + step.abs() - 1) / step.abs() } else { 0 };
    (first, count as usize)
}

/// Pads; `pad_with_zeros` pads outside only, so zeros go after each element, and the last ones are cut off.
pub fn pad(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let (low, high) = (given.naturals("low")?, given.naturals("high")?);
    let mut value = x.clone();
    for (axis, gap) in given.naturals("interior")?.into_iter().enumerate() {
        let extent = value.dim(axis)?;
        if gap > 0 && extent > 1 {
            let mut spread = value.dims().to_vec();
            spread[axis] = extent * (gap + 1);
            let apart = value.unsqueeze(axis + 1)?.pad_with_zeros(axis + 1, 0, gap)?;
            value = apart.reshape(spread)?.narrow(axis, 0, extent * (gap + 1) - gap)?;
        }
        value = value.pad_with_zeros(axis, low[axis], high[axis])?;
    }
    Ok(value)
}

/// Multiplies stacks; candle refuses most with more than one axis, and some strided ones.
pub fn matmul(x: &Tensor, y: &Tensor) -> Answer<Tensor> {
    let stack = |z: &Tensor| -> Answer<Tensor> {
        let (batch, matrix) = z.dims().split_at(z.rank() - 2);
        Ok(z.reshape((batch.iter().product::<usize>(), matrix[0], matrix[1]))?.contiguous()?)
    };
    let product = stack(x)?.matmul(&stack(y)?)?;
    let batch = &x.dims()[..x.rank() - 2];
    Ok(product.reshape([batch, &product.dims()[1..]].concat())?)
}

pub fn split(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let (axis, part) = (given.natural("axis")?, given.natural("part")?);
    if x.dim(axis)? == 0 {
        // candle cannot split empty tensors.
        return Ok(x.clone());
    }
    match x.chunk(given.natural("sections")?, axis)?.into_iter().nth(part) {
        Some(chunk) => Ok(chunk),
        None => error(format!("there is no part {part}")),
    }
}

pub fn tile(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let times = given.naturals("repetitions")?;
    let new = x.rank().saturating_sub(times.len());
    Ok(x.repeat([vec![1; new], times].concat())?)
}
