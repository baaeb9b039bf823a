//! Arguments of candle's functions: as candle gets them, and as a script writes them.

use crate::recorded::Tensor;
use crate::recorder::Words;
use candle_core::{DType, Device, WithDType};
use std::fmt::Debug;

pub trait Argument {
    type Bare;
    fn bare(self) -> Self::Bare;
    fn shown(&self) -> Words;
}

/// These types pass to candle unchanged.
macro_rules! plain {
    ($($type:ty, $shown:expr;)*) => {$(
        impl Argument for $type {
            type Bare = Self;

            fn bare(self) -> Self {
                self
            }

            fn shown(&self) -> Words {
                Words::said(($shown)(self))
            }
        }
    )*};
}

plain! {
    bool, bool::to_string;
    usize, usize::to_string;
    i32, i32::to_string;
    u32, |number| literal(number, "u32");
    f64, |number| literal(number, "");
    DType, |dtype| format!("DType::{dtype:?}");
    &Device, |device| format!("&Device::{device:?}");
    (), |none| format!("{none:?}");
    (usize, usize), |pair| format!("{pair:?}");
    (usize, usize, usize), |triple| format!("{triple:?}");
    Vec<usize>, |numbers: &Vec<usize>| extents(numbers);
    &[usize], |numbers: &&[usize]| extents(numbers);
    &Vec<usize>, |numbers| format!("&{numbers:?}");
}

impl<E: Element> Argument for &[E] {
    type Bare = Self;

    fn bare(self) -> Self {
        self
    }

    fn shown(&self) -> Words {
        Words::said(elements(self))
    }
}

impl<'a> Argument for &'a Tensor {
    type Bare = &'a candle_core::Tensor;

    fn bare(self) -> Self::Bare {
        self.as_bare()
    }

    fn shown(&self) -> Words {
        self.by_reference()
    }
}

/// The type of a tensor's elements.
pub trait Element: WithDType + Debug + Default + Into<f64> {
    const NAME: &'static str;
}

impl Element for f64 {
    const NAME: &'static str = "f64";
}

impl Element for f32 {
    const NAME: &'static str = "f32";
}

impl Element for u32 {
    const NAME: &'static str = "u32";
}

/// Writes elements; the first tells the type unless it is float64: `&[1.0f32, 0.5]`, or `&[1.0f32; 6]`.
fn elements<E: Element>(data: &[E]) -> String {
    let suffix = if E::NAME == "f64" { "" } else { E::NAME };
    let rest: Vec<String> = data.iter().skip(1).map(|element| literal(element, "")).collect();
    match data {
        [] => format!("&[{}; 0]", literal(&E::default(), E::NAME)),
        [first, ..] if rest.len() > 3 && rest.iter().all(|other| *other == literal(first, "")) => {
            format!("&[{}; {}]", literal(first, suffix), data.len())
        }
        [first, ..] => format!("&[{}]", [&[literal(first, suffix)], rest.as_slice()].concat().join(", ")),
    }
}

/// Writes a number as Rust reads it.
pub fn literal<E: Element>(number: &E, suffix: &str) -> String {
    let (wide, kind): (f64, _) = ((*number).into(), E::NAME);
    match wide {
        _ if wide.is_nan() => format!("{kind}::NAN"),
        f64::INFINITY => format!("{kind}::INFINITY"),
        f64::NEG_INFINITY => format!("{kind}::NEG_INFINITY"),
        _ => format!("{number:?}{suffix}"),
    }
}

/// Writes a shape or axes as candle's users do: `()`, `3`, `(2, 3)`. Tuples go up to 6.
fn extents(numbers: &[usize]) -> String {
    match numbers {
        [] => "()".to_string(),
        [number] => number.to_string(),
        _ if numbers.len() > 6 => format!("vec!{numbers:?}"),
        _ => format!("({})", numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
