//! The attributes of a node.

use crate::failure::{error, Answer};
use crate::tensors::extents;
use serde_json::Value;

pub struct Attributes<'a>(pub &'a Value);

impl Attributes<'_> {
    pub fn naturals(&self, name: &str) -> Answer<Vec<usize>> {
        extents(&self.0[name]).map_or_else(|| missing(name), Ok)
    }

    pub fn integers(&self, name: &str) -> Answer<Vec<i64>> {
        let list = self.0[name].as_array();
        let read = list.and_then(|list| list.iter().map(integer).collect::<Option<_>>());
        read.map_or_else(|| missing(name), Ok)
    }

    /// Returns a pair for each axis, what comes before and what after.
    pub fn pairs(&self, name: &str) -> Answer<Vec<[usize; 2]>> {
        let pair = |value: &Value| <[usize; 2]>::try_from(extents(value)?).ok();
        let list = self.0[name].as_array();
        let read = list.and_then(|list| list.iter().map(pair).collect::<Option<_>>());
        read.map_or_else(|| missing(name), Ok)
    }

    pub fn natural(&self, name: &str) -> Answer<usize> {
        match self.integer(name)?.try_into() {
            Ok(number) => Ok(number),
            Err(_) => missing(name),
        }
    }

    pub fn integer(&self, name: &str) -> Answer<i64> {
        integer(&self.0[name]).map_or_else(|| missing(name), Ok)
    }

    pub fn real(&self, name: &str) -> Answer<f64> {
        self.0[name].as_f64().map_or_else(|| missing(name), Ok)
    }

    pub fn flag(&self, name: &str) -> Answer<bool> {
        self.0[name].as_bool().map_or_else(|| missing(name), Ok)
    }

    pub fn text(&self, name: &str) -> Answer<&str> {
        self.0[name].as_str().map_or_else(|| missing(name), Ok)
    }
}

/// Reads an integer, which JSON may write as `1.0`.
fn integer(value: &Value) -> Option<i64> {
    value.as_f64().filter(|x| x.fract() == 0.0 && x.abs() < 2f64.powi(53)).map(|x| x as i64)
}

fn missing<T>(name: &str) -> Answer<T> {
    error(format!("the attribute {name} is not what it should be"))
}
