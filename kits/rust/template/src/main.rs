//! An adapter for adjudge: what a number of the library is, and its functions by the names of adjudge's
//! operators.

use adjudge_kit::Scalars;

/// The library: dual numbers. Yours goes into Cargo.toml instead.
#[derive(Clone, Copy)]
struct Dual {
    value: f64,
    tangent: f64,
}

impl Dual {
    /// A function of one number, from its value and its slope.
    fn chained(self, value: f64, slope: f64) -> Dual {
        Dual { value, tangent: self.tangent * slope }
    }
}

fn main() {
    Scalars::new("my library", "0.1.0", |value| Dual { value, tangent: 0.0 }, |x| x.value)
        .forward(|value, tangent| Dual { value, tangent }, |x| x.tangent)
        .operators([
            ("negative", |x| x[0].chained(-x[0].value, -1.0)),
            ("exp", |x| x[0].chained(x[0].value.exp(), x[0].value.exp())),
            ("log", |x| Dual { value: x[0].value.ln(), tangent: x[0].tangent / x[0].value }),
            ("sin", |x| x[0].chained(x[0].value.sin(), x[0].value.cos())),
            ("cos", |x| x[0].chained(x[0].value.cos(), -x[0].value.sin())),
            ("sqrt", |x| x[0].chained(x[0].value.sqrt(), 0.5 / x[0].value.sqrt())),
            ("add", |x| Dual { value: x[0].value + x[1].value, tangent: x[0].tangent + x[1].tangent }),
            ("subtract", |x| Dual { value: x[0].value - x[1].value, tangent: x[0].tangent - x[1].tangent }),
            ("multiply", |x| Dual {
                value: x[0].value * x[1].value,
                tangent: x[0].tangent * x[1].value + x[0].value * x[1].tangent,
            }),
            ("divide", |x| Dual {
                value: x[0].value / x[1].value,
                tangent: (x[0].tangent - x[0].value / x[1].value * x[1].tangent) / x[1].value,
            }),
        ])
        .serve();
}
