//! Convolution and pooling: candle has one stride and dilation for all axes, and pools images only.

use crate::attributes::Attributes;
use crate::failure::{error, unsupported, Answer};
use crate::recorded::Tensor;

pub fn conv(x: &Tensor, kernels: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let (stride, dilation) = (one(given, "strides")?, one(given, "dilations")?);
    let groups = given.natural("groups")?;
    let (x, padding) = outside(x, &given.pairs("padding")?)?;
    match x.rank() {
        3 => Ok(x.conv1d(kernels, padding, stride, dilation, groups)?),
        4 => Ok(x.conv2d(kernels, padding, stride, dilation, groups)?),
        _ => unsupported("convolution is over one axis or two"),
    }
}

/// Convolves transposed; candle cuts nothing off where sides differ, and the rest happens here.
pub fn conv_transpose(x: &Tensor, kernels: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let (stride, dilation) = (one(given, "strides")?, one(given, "dilations")?);
    let (sides, extra) = (given.pairs("padding")?, one(given, "output_padding")?);
    let padding = same(&sides).unwrap_or(0);
    let whole = match (x.rank(), given.natural("groups")?) {
        (3, groups) => x.conv_transpose1d(kernels, padding, extra, stride, dilation, groups)?,
        (4, 1) => x.conv_transpose2d(kernels, padding, extra, stride, dilation)?,
        (4, _) => return unsupported("transposed convolution over two axes has no groups"),
        _ => return unsupported("transposed convolution is over one axis or two"),
    };
    let cut = sides.iter().map(|side| side.map(|count| count - padding));
    cut.enumerate().try_fold(whole, |x, (i, [low, high])| {
        let rest = x.dim(i + 2)?.checked_sub(low + high);
        rest.map_or_else(|| error("nothing is left"), |rest| Ok(x.narrow(i + 2, low, rest)?))
    })
}

pub fn max_pool(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    if given.pairs("padding")?.iter().any(|pair| *pair != [0, 0]) {
        return unsupported("pooling has no padding");
    }
    pool(x, given, |x, window, strides| x.max_pool2d_with_stride(window, strides))
}

pub fn avg_pool(x: &Tensor, given: &Attributes) -> Answer<Tensor> {
    let padding = given.pairs("padding")?;
    if !given.flag("count_include_pad")? && padding.iter().any(|pair| *pair != [0, 0]) {
        return unsupported("pooling has no padding");
    }
    pool(&padded(x, &padding)?, given, |x, window, strides| x.avg_pool2d_with_stride(window, strides))
}

type Pair = (usize, usize);

/// Pools images, as candle does; a row is an image of height 1.
fn pool(
    x: &Tensor,
    given: &Attributes,
    of_image: impl Fn(&Tensor, Pair, Pair) -> candle_core::Result<Tensor>,
) -> Answer<Tensor> {
    match (given.naturals("window")?.as_slice(), given.naturals("strides")?.as_slice()) {
        ([height, width], [down, right]) => Ok(of_image(x, (*height, *width), (*down, *right))?),
        ([width], [right]) => {
            Ok(of_image(&x.unsqueeze(2)?, (1, *width), (1, *right))?.squeeze(2)?)
        }
        _ => unsupported("pooling is of images"),
    }
}

/// Returns an attribute's one number for all axes.
fn one(given: &Attributes, name: &str) -> Answer<usize> {
    match given.naturals(name)?.as_slice() {
        [first, others @ ..] if others.iter().all(|other| other == first) => Ok(*first),
        _ => unsupported(format!("{name} differ between axes")),
    }
}

/// Returns the one padding of all sides and axes.
fn same(padding: &[[usize; 2]]) -> Answer<usize> {
    match padding.iter().flatten().collect::<Vec<_>>().as_slice() {
        [first, others @ ..] if others.iter().all(|other| other == first) => Ok(**first),
        _ => unsupported("padding differs between sides"),
    }
}

/// Returns x and the padding left; where sides differ, zeros are added before.
fn outside(x: &Tensor, padding: &[[usize; 2]]) -> Answer<(Tensor, usize)> {
    match same(padding) {
        Ok(padding) => Ok((x.clone(), padding)),
        Err(_) => Ok((padded(x, padding)?, 0)),
    }
}

fn padded(x: &Tensor, padding: &[[usize; 2]]) -> Answer<Tensor> {
    let sides = padding.iter().enumerate();
    Ok(sides.fold(Ok(x.clone()), |x, (axis, [low, high])| x?.pad_with_zeros(axis + 2, *low, *high))?)
}
