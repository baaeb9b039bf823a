//! Measures what a multiply-add into the quire of posit32 costs in software, in cycles of the time-stamp
//! counter: `cargo run --release` in this folder. The figures are in oracle/representations/targets/x86_64.json.

use core::arch::x86_64::_rdtsc;
use fast_posit::{p32, q32, RoundFrom, RoundInto};
use softposit::{P32, Q32};
use std::hint::black_box;

const PRODUCTS: usize = 1 << 16;
const RUNS: usize = 50;

/// Returns the fewest cycles that a run took for each product.
fn cycles<T>(sum: impl Fn() -> T) -> u64 {
    let best = (0..RUNS).map(|_| {
        let before = unsafe { _rdtsc() };
        black_box(sum());
        unsafe { _rdtsc() - before }
    });
    best.min().unwrap_or(0) / PRODUCTS as u64
}

/// Returns numbers between -2 and 2, in no order.
fn numbers(step: usize, modulus: usize) -> Vec<f64> {
    (0..PRODUCTS).map(|i| ((i * step % modulus) as f64 / modulus as f64 - 0.5) * 4.0).collect()
}

fn main() {
    let (xs, ys) = (numbers(7919, 10007), numbers(104729, 10009));
    let soft = |all: &[f64]| all.iter().map(|&x| P32::from(x)).collect::<Vec<_>>();
    let fast = |all: &[f64]| all.iter().map(|&x| p32::round_from(x)).collect::<Vec<p32>>();
    let (a, b, c, d) = (soft(&xs), soft(&ys), fast(&xs), fast(&ys));
    let by_soft = cycles(|| {
        let mut quire = Q32::init();
        for i in 0..PRODUCTS {
            quire += (a[i], b[i]);
        }
        quire.to_posit()
    });
    let by_fast = cycles(|| {
        let mut quire = q32::ZERO;
        for i in 0..PRODUCTS {
            quire.add_prod(c[i], d[i]);
        }
        let sum: p32 = (&quire).round_into();
        sum
    });
    println!("softposit {by_soft} cycles, fast-posit {by_fast} cycles a multiply-add");
}
