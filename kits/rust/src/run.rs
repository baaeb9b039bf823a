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
            let duals = self.given.iter().zip(tangents).map(|(x, tangent)| (forward.dual)(*x, tangent)).collect();
            return Ok(self.read(self.values(duals, false)?, forward.tangent));
        }
        if mode == "evaluate" {
            return Ok(self.read(self.plain()?, self.library.value));
        }
        self.pulled_back(mode == "backward_dense")
    }

    /// The values of all ids where nothing is differentiated.
    fn plain(&self) -> Answer<Vec<Tensor<S>>> {
        self.values(self.given.iter().map(|x| (self.library.constant)(*x)).collect(), false)
    }

    fn read(&self, values: Vec<Tensor<S>>, read: fn(&S) -> f64) -> Vec<Tensor<f64>> {
        let nodes = values.into_iter().skip(self.inputs.len());
        nodes.map(|node| Tensor { data: node.data.iter().map(read).collect(), shape: node.shape }).collect()
    }

    /// Differentiates the sum of all values times their seeds. In the dense case each element of each node gets
    /// a tap, an input of −0 that is added to it: it changes nothing, and its derivative is the element's.
    fn pulled_back(&self, is_dense: bool) -> Answer<Vec<Tensor<f64>>> {
        let Some(reverse) = &self.library.reverse else { return decline("no reverse mode") };
        let mut shapes = self.inputs.clone();
        let mut given = self.given.clone();
        if is_dense {
            let nodes = self.plain()?.into_iter().skip(self.inputs.len());
            shapes.extend(nodes.map(|node| node.shape));
            given.resize(shapes.iter().map(|shape| size(shape)).sum(), -0.0);
        }
        let inputs = (reverse.record)(&given);
        let terms = self.terms(&self.values(inputs.clone(), is_dense)?)?;
        let gradient = match terms.is_empty() || inputs.is_empty() {
            true => vec![0.0; inputs.len()],
            false => (reverse.gradient)(&self.library.total(terms), &inputs),
        };
        let mut elements = gradient.into_iter();
        let mut next = |_| elements.next().unwrap_or(f64::NAN);
        Ok(shapes.iter().map(|shape| built(shape, &mut next)).collect())
    }

    /// What is differentiated is the sum of these.
    fn terms(&self, values: &[Tensor<S>]) -> Answer<Vec<S>> {
        if !self.library.has("multiply") || !self.library.has("add") {
            return decline("seeds are multiplied and added, and add or multiply is not there");
        }
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

    /// Computes all ids; `inputs` has the elements of the graph's inputs first, and then the taps.
    fn values(&self, inputs: Vec<S>, is_tapped: bool) -> Answer<Vec<Tensor<S>>> {
        let mut elements = inputs.into_iter();
        let mut values: Vec<Tensor<S>> = vec![];
        for shape in &self.inputs {
            values.push(Tensor { shape: shape.clone(), data: elements.by_ref().take(size(shape)).collect() });
        }
        for node in list(&self.graph["nodes"])? {
            let operands = parents(node, values.len())?.into_iter().map(|parent| &values[parent]).collect();
            let call = Call { operands, attributes: &node["attributes"], environment: &self.environment };
            let mut value = self.library.node(node["op"].as_str().unwrap_or_default(), &call)?;
            if is_tapped {
                value.data.iter_mut().zip(elements.by_ref()).for_each(|(x, tap)| *x = self.library.plus(x, &tap));
            }
            values.push(value);
        }
        Ok(values)
    }
}

fn shapes(entries: &Value) -> Answer<Vec<Vec<usize>>> {
    list(entries)?.iter().map(|entry| extents(&entry["shape"])).collect()
}
