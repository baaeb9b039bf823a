//! Operators with indices from the environment; strided tensors are laid out first, as candle requires.

use crate::attributes::Attributes;
use crate::failure::{error, Answer};
use crate::operators::Scope;
use crate::recorded::Tensor;
use candle_core::Device;

pub fn take(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let (indices, _) = named(given, scope)?;
    Ok(x.contiguous()?.index_select(&indices.flatten_all()?, given.natural("axis")?)?)
}

pub fn take_along_axis(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let (indices, shape) = named(given, scope)?;
    Ok(x.contiguous()?.gather(&indices.reshape(shape)?, given.natural("axis")?)?)
}

pub fn embedding(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let (indices, shape) = named(given, scope)?;
    let rows = x.contiguous()?.embedding(&indices.flatten_all()?)?;
    Ok(rows.reshape([shape.as_slice(), &x.dims()[1..]].concat())?)
}

/// Gathers; the indexed axes become one, since `index_select` has one index.
pub fn gather(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let rows = Rows::read(x, given, scope)?;
    Ok(rows.joined(x)?.index_select(&rows.places, 0)?.reshape(rows.result)?)
}

/// Scatters by `index_add`, as `scatter_add` has a wrong derivative by its first operand and often throws.
pub fn scatter_add(x: &Tensor, updates: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let rows = Rows::read(x, given, scope)?;
    let blocks = updates.reshape([&[rows.places.elem_count()], rows.block.as_slice()].concat())?.contiguous()?;
    Ok(rows.joined(x)?.index_add(&rows.places, &blocks, 0)?.reshape(x.dims())?)
}

/// The rows of an index entry of shape `[..., k]`, as places in the first `k` axes laid out as one.
struct Rows {
    places: Tensor,
    /// The count of places.
    limit: usize,
    block: Vec<usize>,
    result: Vec<usize>,
}

impl Rows {
    fn read(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Self> {
        let entry = scope.entry(given.text("indices")?)?;
        let Some((depth, batch)) = entry.shape.split_last() else {
            return error("the indices have no rows");
        };
        let (indexed, block) = x.dims().split_at(*depth);
        let mut places = Vec::new();
        for row in entry.indices()?.chunks_exact(*depth) {
            if row.iter().zip(indexed).any(|(index, extent)| index >= extent) {
                return error(format!("there is no {row:?} in {indexed:?}"));
            }
            places.push(row.iter().zip(indexed).fold(0, |place, (index, extent)| place * extent + index) as u32);
        }
        Ok(Rows {
            places: Tensor::from_slice(&places, places.len(), &Device::Cpu)?,
            limit: indexed.iter().product(),
            block: block.to_vec(),
            result: [batch, block].concat(),
        })
    }

    fn joined(&self, x: &Tensor) -> Answer<Tensor> {
        Ok(x.contiguous()?.reshape([&[self.limit], self.block.as_slice()].concat())?)
    }
}

/// Returns the indices that an attribute names, in a row, and their shape.
fn named(given: &Attributes, scope: &Scope) -> Answer<(Tensor, Vec<usize>)> {
    let entry = scope.entry(given.text("indices")?)?;
    let indices: Vec<u32> = entry.indices()?.into_iter().map(|index| index as u32).collect();
    Ok((Tensor::from_slice(&indices, indices.len(), &Device::Cpu)?, entry.shape.clone()))
}
