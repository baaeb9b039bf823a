//! What reads indices from the environment. candle refuses to index what is strided, so that is laid out before.

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

/// The axes that are indexed become one, for `index_select` has one index.
pub fn gather(x: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let rows = Rows::read(x, given, scope)?;
    Ok(rows.joined(x)?.index_select(&rows.places, 0)?.reshape(rows.result)?)
}

/// The same for `index_add`. (`scatter_add` has a derivative by its first operand that is wrong, and mostly throws.)
pub fn scatter_add(x: &Tensor, updates: &Tensor, given: &Attributes, scope: &Scope) -> Answer<Tensor> {
    let rows = Rows::read(x, given, scope)?;
    let blocks = updates.reshape([&[rows.places.elem_count()], rows.block.as_slice()].concat())?.contiguous()?;
    Ok(rows.joined(x)?.index_add(&rows.places, &blocks, 0)?.reshape(x.dims())?)
}

/// The rows of an index entry of shape `[..., k]`, as places in the first `k` axes laid out in one.
struct Rows {
    places: Tensor,
    /// How many places there are.
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

/// The indices that an attribute names, in a row, and their shape.
fn named(given: &Attributes, scope: &Scope) -> Answer<(Tensor, Vec<usize>)> {
    let entry = scope.entry(given.text("indices")?)?;
    let indices: Vec<u32> = entry.indices()?.into_iter().map(|index| index as u32).collect();
    Ok((Tensor::from_slice(&indices, indices.len(), &Device::Cpu)?, entry.shape.clone()))
}
