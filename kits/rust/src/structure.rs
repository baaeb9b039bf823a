//! The operators that move elements, add them up and multiply matrices.

use crate::call::Call;
use crate::messages::{decline, extents, natural, size, Answer, Tensor};
use crate::places::{built, coordinates, moved, position};
use crate::{Scalars, CHOICES};

/// Every library has these.
const MOVES: [&str; 12] = [
    "constant", "full", "iota", "reshape", "permute_dims", "broadcast_to", "slice", "take", "take_along_axis", "gather",
    "pad", "concat",
];

/// A library that adds has these.
const SUMS: [&str; 3] = ["sum", "cumulative_sum", "scatter_add"];

impl<S: Clone> Scalars<S> {
    pub(crate) fn has(&self, op: &str) -> bool {
        self.operators.contains_key(op)
    }

    pub(crate) fn promised(&self) -> Vec<&str> {
        let sums = if self.has("add") { &SUMS[..] } else { &[] };
        let matmul = if self.has("add") && self.has("multiply") { &["matmul"][..] } else { &[] };
        let own = self.operators.keys().map(String::as_str);
        let kits = CHOICES.iter().chain(&MOVES).chain(sums).chain(matmul).copied().filter(|op| !self.has(op));
        own.chain(kits).collect()
    }

    /// The value of a node whose operator is promised.
    pub(crate) fn node(&self, op: &str, call: &Call<S>) -> Answer<Tensor<S>> {
        if let Some(function) = self.pointwise(op) {
            let shape = &call.operand(0)?.shape;
            return Ok(built(shape, |place| {
                let x: Vec<S> = call.operands.iter().map(|operand| operand.data[place].clone()).collect();
                function(&x)
            }));
        }
        let constant = self.constant;
        match op {
            "constant" => {
                let given = call.entry("name")?;
                Ok(built(&given.shape, |place| constant(given.data[place])))
            }
            "full" => Ok(built(&call.shape()?, |_| constant(call.attributes["value"].as_f64().unwrap_or(f64::NAN)))),
            "iota" => {
                let (shape, axis) = (call.shape()?, call.axis()?);
                Ok(built(&shape, |place| constant(coordinates(&shape, place)[axis] as f64)))
            }
            "pad" => self.pad(call),
            "concat" => concat(call),
            "sum" => self.sum(call),
            "cumulative_sum" => self.cumulative_sum(call),
            "scatter_add" => {
                let mut sums = call.operand(0)?.clone();
                for (place, update) in call.rows()?.1.into_iter().zip(&call.operand(1)?.data) {
                    sums.data[place] = self.plus(&sums.data[place], update);
                }
                Ok(sums)
            }
            "matmul" => self.matmul(call),
            _ => rearranged(op, call),
        }
    }

    pub(crate) fn plus(&self, x: &S, y: &S) -> S {
        self.operators["add"](&[x.clone(), y.clone()])
    }

    pub(crate) fn times(&self, x: &S, y: &S) -> S {
        self.operators["multiply"](&[x.clone(), y.clone()])
    }

    /// Adds up in order; the sum of nothing is 0.
    pub(crate) fn total(&self, terms: impl IntoIterator<Item = S>) -> S {
        let sum = terms.into_iter().reduce(|total, term| self.plus(&total, &term));
        sum.unwrap_or_else(|| (self.constant)(0.0))
    }

    fn pad(&self, call: &Call<S>) -> Answer<Tensor<S>> {
        let of = |name: &str| extents(&call.attributes[name]);
        let (x, low, high, interior) = (call.operand(0)?, of("low")?, of("high")?, of("interior")?);
        let between = |(axis, extent): (usize, &usize)| {
            low[axis] + extent + interior[axis] * extent.saturating_sub(1) + high[axis]
        };
        let shape: Vec<usize> = x.shape.iter().enumerate().map(between).collect();
        let mut padded = built(&shape, |_| (self.constant)(0.0));
        for (place, element) in x.data.iter().enumerate() {
            let at = coordinates(&x.shape, place);
            let to: Vec<_> = (0..at.len()).map(|axis| low[axis] + at[axis] * (1 + interior[axis])).collect();
            padded.data[position(&shape, &to)] = element.clone();
        }
        Ok(padded)
    }

    fn sum(&self, call: &Call<S>) -> Answer<Tensor<S>> {
        let (x, axes) = (call.operand(0)?, extents(&call.attributes["axes"])?);
        let mut kept = x.shape.clone();
        axes.iter().for_each(|axis| kept[*axis] = 1);
        let mut terms = vec![vec![]; size(&kept)];
        for (place, element) in x.data.iter().enumerate() {
            let mut at = coordinates(&x.shape, place);
            axes.iter().for_each(|axis| at[*axis] = 0);
            terms[position(&kept, &at)].push(element.clone());
        }
        let data = terms.into_iter().map(|terms| self.total(terms)).collect();
        if call.attributes["keepdims"] != true {
            kept = (0..kept.len()).filter(|axis| !axes.contains(axis)).map(|axis| x.shape[axis]).collect();
        }
        Ok(Tensor { shape: kept, data })
    }

    fn cumulative_sum(&self, call: &Call<S>) -> Answer<Tensor<S>> {
        let (mut sums, axis) = (call.operand(0)?.clone(), call.axis()?);
        let stride = size(&sums.shape[axis + 1..]);
        for place in 0..sums.data.len() {
            if coordinates(&sums.shape, place)[axis] > 0 {
                sums.data[place] = self.plus(&sums.data[place - stride], &sums.data[place]);
            }
        }
        Ok(sums)
    }

    fn matmul(&self, call: &Call<S>) -> Answer<Tensor<S>> {
        let (x, y) = (call.operand(0)?, call.operand(1)?);
        let rank = x.shape.len();
        let (rows, inner, columns) = (x.shape[rank - 2], x.shape[rank - 1], y.shape[rank - 1]);
        Ok(built(&[&x.shape[..rank - 1], &[columns]].concat(), |place| {
            let (row, column) = (place / columns, place % columns);
            let right = |k| &y.data[(row / rows * inner + k) * columns + column];
            self.total((0..inner).map(|k| self.times(&x.data[row * inner + k], right(k))))
        }))
    }
}

fn concat<S: Clone>(call: &Call<S>) -> Answer<Tensor<S>> {
    let axis = call.axis()?;
    let mut shape = call.operand(0)?.shape.clone();
    shape[axis] = call.operands.iter().map(|operand| operand.shape[axis]).sum();
    Ok(built(&shape, |place| {
        let (mut at, mut part) = (coordinates(&shape, place), 0);
        while at[axis] >= call.operands[part].shape[axis] {
            at[axis] -= call.operands[part].shape[axis];
            part += 1;
        }
        call.operands[part].data[position(&call.operands[part].shape, &at)].clone()
    }))
}

fn rearranged<S: Clone>(op: &str, call: &Call<S>) -> Answer<Tensor<S>> {
    let x = call.operand(0)?;
    match op {
        "reshape" => Ok(Tensor { shape: call.shape()?, data: x.data.clone() }),
        "permute_dims" => {
            let axes = extents(&call.attributes["axes"])?;
            let shape: Vec<usize> = axes.iter().map(|axis| x.shape[*axis]).collect();
            Ok(moved(x, &shape, |at| {
                let mut source = at.clone();
                axes.iter().zip(at).for_each(|(axis, coordinate)| source[*axis] = coordinate);
                source
            }))
        }
        "broadcast_to" => {
            let shape = call.shape()?;
            let lead = shape.len() - x.shape.len();
            let within = |(coordinate, extent): (&usize, &usize)| *coordinate.min(&(extent - 1));
            Ok(moved(x, &shape, |at| at[lead..].iter().zip(&x.shape).map(within).collect()))
        }
        "slice" => {
            let (starts, steps, shape) = call.sliced()?;
            let along = |at: Vec<usize>, axis: usize| (starts[axis] + steps[axis] * at[axis] as i64) as usize;
            Ok(moved(x, &shape, |at| (0..at.len()).map(|axis| along(at.clone(), axis)).collect()))
        }
        "take" => {
            let (axis, mut shape) = (call.axis()?, x.shape.clone());
            let indices = call.indices(shape[axis])?;
            shape[axis] = indices.len();
            Ok(moved(x, &shape, |mut at| {
                at[axis] = indices[at[axis]];
                at
            }))
        }
        "take_along_axis" => {
            let (axis, shape) = (call.axis()?, &call.entry("indices")?.shape);
            let indices = call.indices(x.shape[axis])?;
            Ok(moved(x, shape, |mut at| {
                at[axis] = indices[position(shape, &at)];
                at
            }))
        }
        "gather" => {
            let (shape, places) = call.rows()?;
            Ok(built(&shape, |place| x.data[places[place]].clone()))
        }
        _ => decline(format!("no operator {op}")),
    }
}

/// Reads the parents of a node, all of which are before it.
pub(crate) fn parents(node: &serde_json::Value, id: usize) -> Answer<Vec<usize>> {
    let parents: Answer<Vec<usize>> = crate::messages::list(&node["parents"])?.iter().map(natural).collect();
    match parents?.as_slice() {
        parents if parents.iter().all(|parent| *parent < id) => Ok(parents.to_vec()),
        _ => crate::messages::error(format!("the parents of id {id} are not all before it")),
    }
}
