//! One question about a graph at a point.

use crate::call::{Call, Environment};
use crate::messages::{decline, error, extents, list, natural, size, tensor_of, tensors_of, Answer, Tensor};
use crate::places::built;
use crate::structure::parents;
use crate::Scalars;
use serde_json::Value;

pub struct Run<'a, S> {
    library: &'a Scalars<S>,
    graph: &'a Value,
    asked: &'a Value,
    /// The shapes of the graph's inputs.
    inputs: Vec<Vec<usize>>,
    /// The elements of all inputs.
    given: Vec<f64>,
    environment: Environment,
}

impl<'a, S: Clone> Run<'a, S> {
    /// Reads the point. Fails where it does not fit the graph.
    pub fn of(library: &'a Scalars<S>, graph: &'a Value, asked: &'a Value) -> Answer<Self> {
        let inputs: Vec<_> = shapes(&graph["inputs"])?;
        let given = tensors_of(&asked["point"]["inputs"])?;
        if given.iter().map(|x| &x.shape).ne(&inputs) {
            return error("the inputs do not have the graph's shapes");
        }
        let mut environment = Environment::new();
        for entry in list(&graph["environment"])? {
            let name = entry["name"].as_str().unwrap_or_default();
            let tensor = tensor_of(&asked["point"]["environment"][name])?;
            if tensor.shape != extents(&entry["shape"])? {
                return error(format!("the entry {name:?} does not have its shape"));
            }
            environment.insert(name.into(), tensor);
        }
        let given = given.into_iter().flat_map(|x| x.data).collect();
        Ok(Run { library, graph, asked, inputs, given, environment })
    }

    pub fn answer(&self, mode: &str) -> Answer<Vec<Tensor<f64>>> {
        let forward = self.library.forward.as_ref().filter(|_| mode == "jvp");
        if let Some(forward) = forward {
            let tangents = tensors_of(&self.asked["tangents"])?;
            if tangents.iter().map(|x| &x.shape).ne(&self.inputs) {
                return error("the tangents do not have the inputs' shapes");
            }
            let tangents = tangents.into_iter().flat_map(|x| x.data);
            let duals: Vec<_> =
                self.given.iter().zip(tangents).map(|(x, tangent)| (forward.dual)(*x, tangent)).collect();
            return Ok(self.read(self.values(&duals, &[])?, forward.tangent));
        }
        if mode == "evaluate" {
            return Ok(self.read(self.plain()?, self.library.value));
        }
        self.pulled_back(mode == "backward_dense")
    }

    /// The values of all ids where nothing is differentiated.
    fn plain(&self) -> Answer<Vec<Tensor<S>>> {
        let inputs: Vec<_> = self.given.iter().map(|x| (self.library.constant)(*x)).collect();
        self.values(&inputs, &[])
    }

    fn read(&self, values: Vec<Tensor<S>>, read: fn(&S) -> f64) -> Vec<Tensor<f64>> {
        let nodes = values.into_iter().skip(self.inputs.len());
        nodes.map(|node| Tensor { data: node.data.iter().map(read).collect(), shape: node.shape }).collect()
    }

    /// Differentiates the sum of all values times their seeds. In the dense case each element of each node has a
    /// tap, whose derivative is the element's; two more serve whatever else is tapped.
    fn pulled_back(&self, is_dense: bool) -> Answer<Vec<Tensor<f64>>> {
        let Some(reverse) = &self.library.reverse else { return decline("no reverse mode") };
        if !self.library.has("multiply") || !self.library.has("add") {
            return decline("seeds are multiplied and added, and add or multiply is not there");
        }
        let (mut shapes, mut given) = (self.inputs.clone(), self.given.clone());
        if is_dense {
            for node in self.plain()?.into_iter().skip(self.inputs.len()) {
                given.extend(node.data.iter().map(|x| self.neutral(x)));
                shapes.push(node.shape);
            }
        }
        given.extend([-0.0, 0.0]);
        let leaves = (reverse.record)(&given);
        let (inputs, taps) = leaves.split_at(self.given.len());
        let terms = self.terms(&self.values(inputs, taps)?)?;
        let gradient = match terms.is_empty() {
            true => vec![0.0; leaves.len()],
            false => (reverse.gradient)(&self.library.total(terms), &leaves),
        };
        let mut elements = gradient.into_iter();
        let mut next = |_| elements.next().unwrap_or(f64::NAN);
        Ok(shapes.iter().map(|shape| built(shape, &mut next)).collect())
    }

    /// What is differentiated is the sum of these.
    fn terms(&self, values: &[Tensor<S>]) -> Answer<Vec<S>> {
        let mut terms = vec![];
        for seed in list(&self.asked["seeds"])? {
            let (id, cotangent) = (natural(&seed["id"])?, tensor_of(&seed["cotangent"])?);
            let Some(value) = values.get(id).filter(|value| value.shape == cotangent.shape) else {
                return error(format!("the seed of id {id} does not fit"));
            };
            let seeds = cotangent.data.iter().map(|x| (self.library.constant)(*x));
            terms.extend(value.data.iter().zip(seeds).map(|(x, seed)| self.library.times(x, &seed)));
        }
        Ok(terms)
    }

    /// Returns the zero that changes nothing where it is added. Beside a constant 0 it is 0: of 0 and −0 a library
    /// that takes 0 + x for x makes −0.
    fn neutral(&self, x: &S) -> f64 {
        let value = (self.library.value)(x);
        if value == 0.0 && value.is_sign_positive() { 0.0 } else { -0.0 }
    }

    /// Computes all ids. A tap is an input of 0 or −0 that is added to an element: the sum is that element,
    /// and a variable of its own. With taps, each operand and each node that depends on the inputs is made of
    /// such sums: a move would share variables, whose contributions are added element by element and not node
    /// by node, as the graph says. The last two, −0 and 0, serve any number of elements; those before are for
    /// the nodes' elements.
    fn values(&self, inputs: &[S], taps: &[S]) -> Answer<Vec<Tensor<S>>> {
        let mut elements = inputs.iter().cloned();
        let mut values: Vec<Tensor<S>> = vec![];
        for shape in &self.inputs {
            values.push(Tensor { shape: shape.clone(), data: elements.by_ref().take(size(shape)).collect() });
        }
        let mut own = taps.iter();
        let is_dense = taps.len() > 2;
        let tapped = |x: &S| match taps {
            [.., negative, positive] => {
                self.library.plus(x, if self.neutral(x).is_sign_negative() { negative } else { positive })
            }
            _ => x.clone(),
        };
        let mut varied = vec![true; values.len()];
        for node in list(&self.graph["nodes"])? {
            let (parents, op) = (parents(node, values.len())?, node["op"].as_str().unwrap_or_default());
            let is_pointwise = self.library.pointwise(op).is_some();
            let mut operands: Vec<Tensor<S>> = vec![];
            for (place, parent) in parents.iter().enumerate() {
                // A function of scalars is told that two of its operands are one variable.
                let first = parents.iter().position(|other| is_pointwise && other == parent).unwrap_or(place);
                let x = &values[*parent];
                operands.push(match operands.get(first) {
                    Some(operand) => operand.clone(),
                    None if varied[*parent] => built(&x.shape, |place| tapped(&x.data[place])),
                    None => x.clone(),
                });
            }
            let operands = operands.iter().collect();
            let call = Call { operands, attributes: &node["attributes"], environment: &self.environment };
            let mut value = self.library.node(op, &call)?;
            varied.push(is_dense || parents.iter().any(|parent| varied[*parent]));
            if varied[values.len()] {
                let next = |x: &mut S| {
                    *x = match own.next().filter(|_| is_dense) {
                        Some(tap) => self.library.plus(x, tap),
                        None => tapped(x),
                    }
                };
                value.data.iter_mut().for_each(next);
            }
            values.push(value);
        }
        Ok(values)
    }
}

fn shapes(entries: &Value) -> Answer<Vec<Vec<usize>>> {
    list(entries)?.iter().map(|entry| extents(&entry["shape"])).collect()
}
