//! A node that is computed: its operands, and what its attributes say of them.

use crate::messages::{error, extents, integers, natural, size, Answer, Tensor};
use crate::places::position;
use serde_json::Value;
use std::collections::HashMap;

/// What a graph is given beside its inputs.
pub type Environment = HashMap<String, Tensor<f64>>;

pub struct Call<'a, S> {
    pub operands: Vec<&'a Tensor<S>>,
    pub attributes: &'a Value,
    pub environment: &'a Environment,
}

impl<S> Call<'_, S> {
    /// The operand at that place.
    pub fn operand(&self, place: usize) -> Answer<&Tensor<S>> {
        self.operands.get(place).map_or_else(|| error("an operand is missing"), |x| Ok(*x))
    }

    pub fn axis(&self) -> Answer<usize> {
        natural(&self.attributes["axis"])
    }

    pub fn shape(&self) -> Answer<Vec<usize>> {
        extents(&self.attributes["shape"])
    }

    /// The entry that an attribute names.
    pub fn entry(&self, attribute: &str) -> Answer<&Tensor<f64>> {
        let name = self.attributes[attribute].as_str().unwrap_or_default();
        self.environment.get(name).map_or_else(|| error(format!("the environment has no {name:?}")), Ok)
    }

    /// The entry of indices, below a limit.
    pub fn indices(&self, limit: usize) -> Answer<Vec<usize>> {
        self.entry("indices")?.data.iter().map(|x| index(*x, limit)).collect()
    }

    /// The first index and the step of each axis, as Python's slices have them, and the shape.
    pub fn sliced(&self) -> Answer<(Vec<i64>, Vec<i64>, Vec<usize>)> {
        let (mut starts, steps) = (integers(&self.attributes["starts"])?, integers(&self.attributes["steps"])?);
        let stops = integers(&self.attributes["stops"])?;
        let mut shape = vec![];
        for (axis, extent) in self.operand(0)?.shape.iter().enumerate() {
            let (extent, step) = (*extent as i64, steps[axis]);
            let (least, greatest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
            let clamped = |index: i64| (if index < 0 { index + extent } else { index }).max(least).min(greatest);
            starts[axis] = clamped(starts[axis]);
            let distance = clamped(stops[axis]) - starts[axis];
            shape.push(((distance + step - step.signum()) / step).max(0) as usize);
        }
        Ok((starts, steps, shape))
    }

    /// For gather and scatter_add, the shape of the blocks that rows of indices name, and where the elements of
    /// these blocks lie in the first operand.
    pub fn rows(&self) -> Answer<(Vec<usize>, Vec<usize>)> {
        let (given, x) = (self.entry("indices")?, &self.operand(0)?.shape);
        let Some((&depth, leading)) = given.shape.split_last() else { return error("indices have rows") };
        let inner = size(&x[depth..]);
        let mut places = vec![];
        for row in 0..size(leading) {
            let indices = &given.data[row * depth..(row + 1) * depth];
            let at: Answer<Vec<_>> = indices.iter().zip(x).map(|(i, extent)| index(*i, *extent)).collect();
            let first = position(&x[..depth], &at?) * inner;
            places.extend(first..first + inner);
        }
        Ok(([leading, &x[depth..]].concat(), places))
    }
}

fn index(x: f64, limit: usize) -> Answer<usize> {
    if x.fract() != 0.0 || x < 0.0 || x >= limit as f64 {
        return error(format!("{x} is no index below {limit}"));
    }
    Ok(x as usize)
}
