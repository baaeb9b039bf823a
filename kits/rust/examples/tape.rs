//! A tape of scalars, which the kit asks in reverse mode; `cli/commands/init.slow.test.ts` judges it.

use adjudge_kit::Scalars;
use std::cell::RefCell;

/// A number and its place on the tape, unless nothing is differentiated.
#[derive(Clone, Copy)]
struct Var {
    value: f64,
    place: Option<usize>,
}

/// What a number on the tape depends on, with its slope in each.
type Record = Vec<(usize, f64)>;

thread_local! { static TAPE: RefCell<Vec<Record>> = const { RefCell::new(vec![]) } }

fn noted(value: f64, slopes: &[(Var, f64)]) -> Var {
    let known = slopes.iter().filter_map(|(x, slope)| x.place.map(|place| (place, *slope))).collect();
    TAPE.with_borrow_mut(|tape| {
        tape.push(known);
        Var { value, place: Some(tape.len() - 1) }
    })
}

fn record(values: &[f64]) -> Vec<Var> {
    TAPE.with_borrow_mut(Vec::clear);
    values.iter().map(|value| noted(*value, &[])).collect()
}

fn gradient(y: &Var, inputs: &[Var]) -> Vec<f64> {
    TAPE.with_borrow(|tape| {
        let mut bars = vec![0.0; tape.len()];
        y.place.iter().for_each(|place| bars[*place] = 1.0);
        for (place, record) in tape.iter().enumerate().rev() {
            record.iter().for_each(|(x, slope)| bars[*x] += bars[place] * slope);
        }
        inputs.iter().filter_map(|x| x.place).map(|place| bars[place]).collect()
    })
}

fn main() {
    Scalars::new("tape", "0.1.0", |value| Var { value, place: None }, |x| x.value)
        .reverse(record, gradient)
        .operators([
            ("negative", |x| noted(-x[0].value, &[(x[0], -1.0)])),
            ("exp", |x| noted(x[0].value.exp(), &[(x[0], x[0].value.exp())])),
            ("sqrt", |x| noted(x[0].value.sqrt(), &[(x[0], 0.5 / x[0].value.sqrt())])),
            ("add", |x| noted(x[0].value + x[1].value, &[(x[0], 1.0), (x[1], 1.0)])),
            ("subtract", |x| noted(x[0].value - x[1].value, &[(x[0], 1.0), (x[1], -1.0)])),
            ("multiply", |x| noted(x[0].value * x[1].value, &[(x[0], x[1].value), (x[1], x[0].value)])),
        ])
        .serve();
}
