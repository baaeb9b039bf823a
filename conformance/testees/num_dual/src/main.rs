//! num-dual: <https://github.com/itt-ustutt/num-dual>. Dual numbers in Rust, forward mode.

use adjudge_kit::Scalars;
use num_dual::{Dual64, DualNum};
use serde_json::json;

fn main() {
    Scalars::<Dual64>::new("num-dual", "0.15.1", |x| x.into(), |x| x.re)
        .declare("links", json!(["https://github.com/itt-ustutt/num-dual"]))
        .forward(Dual64::new, |x| x.eps)
        .operators([
            ("negative", |x| -x[0]),
            ("add", |x| x[0] + x[1]),
            ("subtract", |x| x[0] - x[1]),
            ("multiply", |x| x[0] * x[1]),
            ("divide", |x| x[0] / x[1]),
            ("reciprocal", |x| x[0].recip()),
            ("sqrt", |x| x[0].sqrt()),
            ("exp", |x| x[0].exp()),
            ("expm1", |x| x[0].exp_m1()),
            ("log", |x| x[0].ln()),
            ("log1p", |x| x[0].ln_1p()),
            ("log2", |x| x[0].log2()),
            ("pow", |x| x[0].powd(x[1])),
            ("sin", |x| x[0].sin()),
            ("cos", |x| x[0].cos()),
            ("tan", |x| x[0].tan()),
            ("asin", |x| x[0].asin()),
            ("acos", |x| x[0].acos()),
            ("atan", |x| x[0].atan()),
            ("atan2", |x| x[0].atan2(x[1])),
            ("sinh", |x| x[0].sinh()),
            ("cosh", |x| x[0].cosh()),
            ("tanh", |x| x[0].tanh()),
            ("asinh", |x| x[0].asinh()),
            ("acosh", |x| x[0].acosh()),
            ("atanh", |x| x[0].atanh()),
        ])
        .serve();
}
