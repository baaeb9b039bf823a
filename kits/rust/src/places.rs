//! Row-major positions and coordinates.

use crate::messages::{size, Tensor};

pub fn coordinates(shape: &[usize], mut place: usize) -> Vec<usize> {
    let mut at = vec![0; shape.len()];
    for (coordinate, extent) in at.iter_mut().zip(shape).rev() {
        (*coordinate, place) = (place % extent, place / extent);
    }
    at
}

/// The inverse of [`coordinates`].
pub fn position(shape: &[usize], at: &[usize]) -> usize {
    shape.iter().zip(at).fold(0, |place, (extent, coordinate)| place * extent + coordinate)
}

pub fn built<T>(shape: &[usize], element: impl FnMut(usize) -> T) -> Tensor<T> {
    Tensor { shape: shape.to_vec(), data: (0..size(shape)).map(element).collect() }
}

/// A tensor with the elements of `x`, at the coordinates that `source` gives for the result's.
pub fn moved<T: Clone>(x: &Tensor<T>, shape: &[usize], source: impl Fn(Vec<usize>) -> Vec<usize>) -> Tensor<T> {
    built(shape, |place| x.data[position(&x.shape, &source(coordinates(shape, place)))].clone())
}
