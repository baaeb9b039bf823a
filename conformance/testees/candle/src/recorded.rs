//! candle's tensors under candle's names, whose calls are recorded where a script is asked for.

use crate::arguments::{Argument, Element};
use crate::recorder::{write, Words};
use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Result, Shape};

/// A tensor of candle's, and the words that denote it.
#[derive(Clone)]
pub struct Tensor {
    bare: candle_core::Tensor,
    words: Words,
    /// Whether the words denote a variable that holds it.
    is_held: bool,
}

pub struct Var {
    bare: candle_core::Var,
    tensor: Tensor,
}

/// The cotangents of variables.
pub struct Gradients {
    bare: GradStore,
    words: Words,
}

/// Wraps candle's results with the words that denote them.
trait Outcome {
    type Known;
    fn known(self, words: Words) -> Self::Known;
}

impl Outcome for candle_core::Tensor {
    type Known = Tensor;

    fn known(self, words: Words) -> Tensor {
        Tensor { bare: self, words, is_held: false }
    }
}

impl Outcome for (candle_core::Tensor, candle_core::Tensor) {
    type Known = (Tensor, Tensor);

    fn known(self, words: Words) -> Self::Known {
        (self.0.known(words.clone().then(".0")), self.1.known(words.then(".1")))
    }
}

impl Outcome for Vec<candle_core::Tensor> {
    type Known = Vec<Tensor>;

    fn known(self, words: Words) -> Self::Known {
        let part = |(place, part): (usize, candle_core::Tensor)| part.known(words.clone().then(format!("[{place}]")));
        self.into_iter().enumerate().map(part).collect()
    }
}

impl Outcome for candle_core::Var {
    type Known = Var;

    fn known(self, words: Words) -> Var {
        let tensor = Tensor { bare: self.as_tensor().clone(), words, is_held: true };
        Var { bare: self, tensor }
    }
}

impl Outcome for GradStore {
    type Known = Gradients;

    fn known(self, words: Words) -> Gradients {
        Gradients { bare: self, words }
    }
}

/// Wraps functions of candle's under their names, so that what is called is what is recorded.
macro_rules! functions {
    ($type:ident, $letter:literal: $($name:ident $(<$generic:ident>)? ($($argument:ident: $of:ty),*);)*) => {
        impl $type {$(
            pub fn $name $(<$generic: Element>)? ($($argument: $of),*) -> Result<Self> {
                let name = concat!(stringify!($type), "::", stringify!($name));
                let words = write($letter, || Words::said(name).called(vec![$(Argument::shown(&$argument)),*]));
                Ok(candle_core::$type::$name($(Argument::bare($argument)),*)?.known(words))
            }
        )*}
    };
}

/// Wraps those that make one tensor of several.
macro_rules! functions_of_several {
    ($($name:ident)*) => {
        impl Tensor {$(
            pub fn $name(parts: &[&Tensor], axis: usize) -> Result<Self> {
                let name = concat!("Tensor::", stringify!($name));
                let words = write('v', || Words::said(name).called(vec![listed(parts), axis.shown()]));
                let parts: Vec<_> = parts.iter().map(|part| &part.bare).collect();
                Ok(candle_core::Tensor::$name(&parts, axis)?.known(words))
            }
        )*}
    };
}

fn listed(parts: &[&Tensor]) -> Words {
    let comma = |list: Words| if list.0.len() > 1 { list.then(", ") } else { list };
    parts.iter().fold(Words::said("&["), |list, part| comma(list).joined(part.by_reference())).then("]")
}

/// Wraps methods of candle's tensors.
macro_rules! methods {
    ($($letter:literal $outcome:ty: $($name:ident ($($argument:ident: $of:ty),*);)*)*) => {
        impl Tensor {$($(
            pub fn $name(&self, $($argument: $of),*) -> Result<$outcome> {
                let name = concat!(".", stringify!($name));
                let called = || self.words.clone().then(name).called(vec![$(Argument::shown(&$argument)),*]);
                let words = write($letter, called);
                Ok(self.bare.$name($(Argument::bare($argument)),*)?.known(words))
            }
        )*)*}
    };
}

functions! {
    Tensor, 'v':
    from_slice<E>(elements: &[E], shape: impl Argument<Bare: Into<Shape>>, device: &Device);
    full(value: f64, shape: impl Argument<Bare: Into<Shape>>, device: &Device);
    zeros(shape: impl Argument<Bare: Into<Shape>>, dtype: DType, device: &Device);
    arange(start: u32, end: u32, device: &Device);
}

functions_of_several! { cat stack }

functions! {
    Var, 'x':
    from_slice<E>(elements: &[E], shape: impl Argument<Bare: Into<Shape>>, device: &Device);
}

methods! {
    'v' Tensor:
    neg(); exp(); log(); sin(); cos(); tanh(); sqrt(); relu(); floor(); erf(); abs(); sign(); sqr(); recip(); ceil();
    silu(); gelu(); gelu_erf(); contiguous(); flatten_all(); zeros_like(); sum_all();
    elu(alpha: f64);
    to_dtype(dtype: DType);
    add(other: &Tensor); sub(other: &Tensor); mul(other: &Tensor); div(other: &Tensor); pow(exponents: &Tensor);
    maximum(other: &Tensor); minimum(other: &Tensor);
    eq(other: &Tensor); ne(other: &Tensor);
    lt(other: &Tensor); le(other: &Tensor); gt(other: &Tensor); ge(other: &Tensor);
    where_cond(yes: &Tensor, no: &Tensor);
    clamp(low: &Tensor, high: &Tensor);
    matmul(other: &Tensor);
    sum(axes: Vec<usize>); sum_keepdim(axes: Vec<usize>); mean(axes: Vec<usize>); mean_keepdim(axes: Vec<usize>);
    log_sum_exp(axes: Vec<usize>);
    max_keepdim(axis: usize); min_keepdim(axis: usize); argmax(axis: usize); argmax_keepdim(axis: usize);
    cumsum(axis: usize);
    broadcast_as(shape: impl Argument<Bare: Into<Shape>>);
    reshape(shape: impl Argument<Bare: Into<Shape>>);
    repeat(times: Vec<usize>);
    permute(axes: Vec<usize>);
    transpose(one: usize, other: usize);
    unsqueeze(axis: usize); squeeze(axis: usize);
    narrow(axis: usize, start: usize, count: usize);
    pad_with_zeros(axis: usize, low: usize, high: usize);
    flip(axes: &Vec<usize>);
    roll(shift: i32, axis: usize);
    index_select(indices: &Tensor, axis: usize);
    index_add(indices: &Tensor, source: &Tensor, axis: usize);
    gather(indices: &Tensor, axis: usize);
    embedding(indices: &Tensor);
    conv1d(kernels: &Tensor, padding: usize, stride: usize, dilation: usize, groups: usize);
    conv2d(kernels: &Tensor, padding: usize, stride: usize, dilation: usize, groups: usize);
    conv_transpose1d(kernels: &Tensor, padding: usize, extra: usize, stride: usize, dilation: usize, groups: usize);
    conv_transpose2d(kernels: &Tensor, padding: usize, extra: usize, stride: usize, dilation: usize);
    max_pool2d_with_stride(window: (usize, usize), strides: (usize, usize));
    avg_pool2d_with_stride(window: (usize, usize), strides: (usize, usize));

    'p' Vec<Tensor>:
    chunk(parts: usize, axis: usize);

    's' (Tensor, Tensor):
    sort_last_dim(ascending: bool);

    'g' Gradients:
    backward();
}

impl Tensor {
    pub fn detach(&self) -> Tensor {
        let words = write('v', || self.words.clone().then(".detach()"));
        self.bare.detach().known(words)
    }

    pub fn dims(&self) -> &[usize] {
        self.bare.dims()
    }

    pub fn dim(&self, axis: usize) -> Result<usize> {
        self.bare.dim(axis)
    }

    pub fn rank(&self) -> usize {
        self.bare.rank()
    }

    pub fn elem_count(&self) -> usize {
        self.bare.elem_count()
    }

    /// Returns candle's own tensor, whose calls are not recorded.
    pub fn as_bare(&self) -> &candle_core::Tensor {
        &self.bare
    }

    pub fn words(&self) -> Words {
        self.words.clone()
    }

    /// Returns the words where candle wants a reference. Few of its functions take a variable for one.
    pub fn by_reference(&self) -> Words {
        if self.is_held {
            self.words.clone().then(".as_tensor()")
        } else {
            Words::said("&").joined(self.words.clone())
        }
    }
}

impl Var {
    pub fn as_tensor(&self) -> &Tensor {
        &self.tensor
    }
}

impl Gradients {
    /// Returns the cotangent of a variable; zeros where none arrived.
    pub fn of(&self, variable: &Var) -> Result<Tensor> {
        let words = write('v', || {
            let name = variable.tensor.words();
            let found = self.words.clone().then(".get(&").joined(name.clone()).then(").cloned()");
            found.then(".unwrap_or(").joined(name).then(".zeros_like()?)")
        });
        let found = self.bare.get(&variable.bare).cloned();
        Ok(found.unwrap_or(variable.bare.zeros_like()?).known(words))
    }
}
