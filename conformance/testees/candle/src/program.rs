//! A loaded graph, and candle's answers for it.

use crate::attributes::Attributes;
use crate::failure::{error, unsupported, Answer};
use crate::operators::{self, Scope};
use crate::recorded::{Gradients, Tensor, Var};
use crate::tensors::{extents, Numbers};
use candle_core::{DType, Device};
use serde_json::Value;
use std::collections::HashMap;

struct Node {
    op: String,
    attributes: Value,
    parents: Vec<usize>,
}

pub struct Program {
    dtype: DType,
    inputs: Vec<Vec<usize>>,
    /// The name and shape of each entry of the environment.
    entries: Vec<(String, Vec<usize>)>,
    nodes: Vec<Node>,
}

/// The arguments of a program.
struct Point {
    inputs: Vec<Var>,
    environment: HashMap<String, Numbers>,
}

/// The value of every id, and the taps of nodes if there are any.
struct Run {
    values: Vec<Tensor>,
    taps: Vec<Var>,
}

impl Program {
    pub fn load(request: &Value, promised: &[String]) -> Answer<Self> {
        let dtype = match request["dtype"].as_str() {
            Some("float64") => DType::F64,
            Some("float32") => DType::F32,
            other => return unsupported(format!("no precision {}", other.unwrap_or("at all"))),
        };
        let graph = &request["graph"];
        let inputs = list(graph, "inputs")?.iter().map(shape_of).collect::<Answer<Vec<_>>>()?;
        let entry = |entry: &Value| Ok((text(entry, "name")?, shape_of(entry)?));
        let entries = list(graph, "environment")?.iter().map(entry).collect::<Answer<Vec<_>>>()?;
        let mut nodes = Vec::new();
        for node in list(graph, "nodes")? {
            let op = text(node, "op")?;
            if !promised.contains(&op) {
                return unsupported(format!("no operator {op}"));
            }
            let id = inputs.len() + nodes.len();
            match extents(&node["parents"]) {
                Some(parents) if parents.iter().all(|parent| *parent < id) => {
                    nodes.push(Node { op, attributes: node["attributes"].clone(), parents });
                }
                _ => return error(format!("the parents of id {id} are not all before it")),
            }
        }
        Ok(Program { dtype, inputs, entries, nodes })
    }

    pub fn evaluate(&self, request: &Value) -> Answer<Vec<Tensor>> {
        let run = self.run(&self.point(request)?, false)?;
        Ok(run.values[self.inputs.len()..].to_vec())
    }

    pub fn vjp(&self, request: &Value) -> Answer<Vec<Tensor>> {
        let point = self.point(request)?;
        let run = self.run(&point, false)?;
        cotangents_of(&point.inputs, &self.pull_back(&run, request)?)
    }

    /// Returns the cotangent of every id. candle keeps those of variables only, so each node's value gets a
    /// variable of −0 added, a *tap*, which changes no float, not even a zero's sign, and gets its cotangent.
    pub fn backward_dense(&self, request: &Value) -> Answer<Vec<Tensor>> {
        let point = self.point(request)?;
        let run = self.run(&point, true)?;
        let gradients = self.pull_back(&run, request)?;
        Ok([cotangents_of(&point.inputs, &gradients)?, cotangents_of(&run.taps, &gradients)?].concat())
    }

    fn point(&self, request: &Value) -> Answer<Point> {
        let point = &request["point"];
        let given = list(point, "inputs")?;
        if given.len() != self.inputs.len() {
            return error(format!("{} inputs are given, not {}", given.len(), self.inputs.len()));
        }
        let mut inputs = Vec::new();
        for (message, shape) in given.iter().zip(&self.inputs) {
            inputs.push(fitting(message, shape)?.variable(self.dtype)?);
        }
        let mut environment = HashMap::new();
        for (name, shape) in &self.entries {
            environment.insert(name.clone(), fitting(&point["environment"][name], shape)?);
        }
        Ok(Point { inputs, environment })
    }

    fn run(&self, point: &Point, tapped: bool) -> Answer<Run> {
        let scope = Scope { dtype: self.dtype, environment: &point.environment };
        let mut values: Vec<Tensor> = point.inputs.iter().map(|input| input.as_tensor().clone()).collect();
        let mut taps = Vec::new();
        for node in &self.nodes {
            let operands: Vec<&Tensor> = node.parents.iter().map(|parent| &values[*parent]).collect();
            let value = operators::apply(&node.op, &Attributes(&node.attributes), &operands, &scope)?;
            if !tapped {
                values.push(value);
                continue;
            }
            let zeros = Numbers { shape: value.dims().to_vec(), data: vec![-0.0; value.elem_count()] };
            let tap = zeros.variable(self.dtype)?;
            values.push(value.add(tap.as_tensor())?);
            taps.push(tap);
        }
        Ok(Run { values, taps })
    }

    /// Runs the tape backwards from the sum of all values times their seeds.
    fn pull_back(&self, run: &Run, request: &Value) -> Answer<Gradients> {
        let mut total: Option<Tensor> = None;
        for seed in list(request, "seeds")? {
            let Some(value) = seed["id"].as_u64().and_then(|id| run.values.get(id as usize)) else {
                return error(format!("there is no id {}", seed["id"]));
            };
            let cotangent = fitting(&seed["cotangent"], value.dims())?.tensor(self.dtype)?;
            if value.elem_count() > 0 {
                let term = value.mul(&cotangent)?.sum_all()?;
                total = Some(match total {
                    None => term,
                    Some(total) => total.add(&term)?,
                });
            }
        }
        let total = total.map_or_else(|| Tensor::zeros((), self.dtype, &Device::Cpu), Ok)?;
        Ok(total.backward()?)
    }
}

fn cotangents_of(variables: &[Var], gradients: &Gradients) -> Answer<Vec<Tensor>> {
    variables.iter().map(|variable| Ok(gradients.of(variable)?)).collect()
}

/// Checks that numbers of a message have that shape.
fn fitting(message: &Value, shape: &[usize]) -> Answer<Numbers> {
    let numbers = Numbers::read(message)?;
    if numbers.shape != shape {
        return error(format!("a tensor has shape {:?}, not {shape:?}", numbers.shape));
    }
    Ok(numbers)
}

fn list<'a>(value: &'a Value, name: &str) -> Answer<&'a Vec<Value>> {
    value[name].as_array().map_or_else(|| error(format!("there are no {name}")), Ok)
}

fn text(value: &Value, name: &str) -> Answer<String> {
    value[name].as_str().map_or_else(|| error(format!("there is no {name}")), |text| Ok(text.to_string()))
}

fn shape_of(value: &Value) -> Answer<Vec<usize>> {
    extents(&value["shape"]).map_or_else(|| error("there is no shape"), Ok)
}
