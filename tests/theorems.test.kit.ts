import {
  add,
  type backpropAllCtx,
  type backpropCtx,
  type backpropSparse,
  type backward,
  type backwardDenseFrom,
  type Compiled,
  type Context,
  type compile,
  contextShapes,
  definition,
  dense,
  dot,
  dual,
  type Environment,
  entry,
  type evaluate,
  type GraphData,
  interpret,
  type jvpCtx,
  map,
  mapEnvironment,
  type SparseContext,
  type Tensor,
  zip,
} from "../reference/package.ts";
import {
  type Algebra,
  expand,
  isSameShape,
  type NodeId,
  nodeId,
  present,
  type Semiring,
  type Graph as WrittenGraph,
} from "../spec/index.ts";

/** The functions the theorems speak of. */
export interface Implementation {
  readonly evaluate: typeof evaluate;
  readonly jvpCtx: typeof jvpCtx;
  readonly backpropAllCtx: typeof backpropAllCtx;
  readonly backpropCtx: typeof backpropCtx;
  readonly backpropSparse: typeof backpropSparse;
  readonly compile: typeof compile;
  readonly backwardDenseFrom: typeof backwardDenseFrom;
  readonly backward: typeof backward;
}

/** A theorem is tried on such a question: `for every g, x, Δ, seed`. */
export interface Question<S, B> {
  readonly algebra: Algebra<S, B>;
  readonly semiring: Semiring<S>;
  readonly graph: GraphData<S>;
  /** The program the graph is the meaning of; none for lawless graph data. */
  readonly program: WrittenGraph | undefined;
  readonly environment: Environment<S>;
  readonly x: Context<S>;
  readonly dx: Context<S>;
  /** A cotangent, and a tangent, of every id. */
  readonly seed: Context<S>;
  readonly tangents: Context<S>;
  /** Cotangents of some ids. */
  readonly seeds: SparseContext<S>;
}

/** A theorem holds of a question or not; `undefined` if its premises do not hold. */
export type Theorem = <S, B>(reference: Implementation, question: Question<S, B>) => boolean | undefined;

function isSameTensor<S, B>({ algebra }: Question<S, B>, a: Tensor<S>, b: Tensor<S>): boolean {
  return (
    isSameShape(a.shape, b.shape) &&
    a.data.length === b.data.length &&
    zip(a, b, (x, y) => algebra.isSame(x, y)).data.every((same) => same)
  );
}

function isSame<S, B>(question: Question<S, B>, a: Context<S>, b: Context<S>): boolean {
  return a.length === b.length && a.every((tensor, id) => isSameTensor(question, tensor, entry(b, id)));
}

/** Says whether the same ids have entries, and the same ones. */
function isSameSparse<S, B>(
  question: Question<S, B>,
  a: ReadonlyMap<number, Tensor<S>>,
  b: SparseContext<S>,
): boolean {
  return (
    a.size === b.size &&
    [...b].every(([id, tensor]) => {
      const other = a.get(id);
      return other !== undefined && isSameTensor(question, other, tensor);
    })
  );
}

function compiled<S, B>(reference: Implementation, question: Question<S, B>): Compiled<S> | undefined {
  const { algebra, graph, x, environment } = question;
  const result = reference.compile(algebra.additive, graph, x, environment);
  return result.ok ? result.value : undefined;
}

/** The rows of SEMANTICS §5, for graph data: no law is asked of its nodes. */
export const tapeTheorems: Readonly<Record<string, Theorem>> = {
  compile_ctx_eq_eval(reference, question) {
    const { graph, x, environment } = question;
    const context = compiled(reference, question)?.context;
    return context !== undefined && isSame(question, context, reference.evaluate(graph, x, environment));
  },

  compile_values_eq(reference, question) {
    const result = compiled(reference, question);
    const values = result?.tape.map(({ value }) => value) ?? [];
    return result !== undefined && isSame(question, values, result.context);
  },

  compile_nodes_size(reference, question) {
    const { inputs, nodes } = question.graph;
    return compiled(reference, question)?.tape.length === inputs.length + nodes.length;
  },

  compile_requires_grad(reference, question) {
    return compiled(reference, question)?.tape.every(({ requiresGrad }) => requiresGrad) ?? false;
  },

  compile_backward_pids_lt(reference, question) {
    const tape = compiled(reference, question)?.tape ?? [];
    return tape.every(({ backward }, id) => {
      const contributions = backward(entry(question.seed, id));
      if (!contributions.ok) return false;
      const isNode = id >= question.graph.inputs.length;
      return (
        contributions.value.length === (isNode ? id : 0) &&
        contributions.value.every(({ parent }) => parent < id)
      );
    });
  },

  backwardDenseFrom_compile_eq_backpropAllCtx(reference, question) {
    const { algebra, graph, x, environment, seed } = question;
    const tape = compiled(reference, question)?.tape ?? [];
    const swept = reference.backwardDenseFrom(algebra.additive, tape, seed);
    const expected = reference.backpropAllCtx(algebra.additive, graph, x, environment, seed);
    return swept.ok && isSame(question, swept.value, expected);
  },
};

/**
 * These are the same theorems of tapes that emit only what nodes read, and of the sweep that visits only what
 * is reached.
 */
export const sparseTheorems: Readonly<Record<string, Theorem>> = {
  "the dense sweep of a sparse tape is backpropAllCtx up to signs of zero"(reference, question) {
    const { algebra, graph, x, environment, seed } = question;
    const result = reference.compile(algebra.additive, graph, x, environment, "sparse");
    if (!result.ok) return false;
    const swept = reference.backwardDenseFrom(algebra.additive, result.value.tape, seed);
    const expected = reference.backpropAllCtx(algebra.additive, graph, x, environment, seed);
    return swept.ok && isSame(question, unsigned(question, swept.value), unsigned(question, expected));
  },

  "the sparse sweep of a sparse tape is backpropSparse"(reference, question) {
    const { algebra, graph, x, environment, seed } = question;
    const result = reference.compile(algebra.additive, graph, x, environment, "sparse");
    if (!result.ok) return false;
    const { tape } = result.value;
    return seed.every((c, id) => {
      const swept = reference.backward(algebra.additive, tape, id, c);
      const seeds = new Map([[nodeId(id), c]]);
      const expected = reference.backpropSparse(algebra.additive, graph, x, environment, seeds);
      return swept.ok && isSameSparse(question, swept.value, expected);
    });
  },
};

/** The sweep is the definition of SEMANTICS §3. */
export const definitions: Readonly<Record<string, Theorem>> = {
  "evaluate is eval"(reference, question) {
    const { graph, x, environment } = question;
    return isSame(
      question,
      reference.evaluate(graph, x, environment),
      definition.evaluate(graph, x, environment),
    );
  },

  "jvpCtx is its definition"(reference, question) {
    const { graph, x, dx, environment } = question;
    const tangents = reference.jvpCtx(graph, x, dx, environment);
    return isSame(question, tangents, definition.jvpCtx(graph, x, dx, environment));
  },

  "backpropAllCtx is its definition"(reference, question) {
    const { algebra, graph, x, environment, seed } = question;
    const cotangents = reference.backpropAllCtx(algebra.additive, graph, x, environment, seed);
    return isSame(
      question,
      cotangents,
      definition.backpropAllCtx(algebra.additive, graph, x, environment, seed),
    );
  },

  "backpropCtx is its definition"(reference, question) {
    const { algebra, graph, x, environment, seed } = question;
    const cotangents = reference.backpropCtx(algebra.additive, graph, x, environment, seed);
    return isSame(
      question,
      cotangents,
      definition.backpropCtx(algebra.additive, graph, x, environment, seed),
    );
  },

  "a cotangent is the seed, later readers' contributions from the last on, and one zero if some later node does not read":
    accumulation,

  "the sparse form is the dense one up to signs of zero, seeded everywhere": sparseUpToSigns,
};

/** States the law of the dense cotangents themselves, so that it holds to the bit. */
function accumulation<S, B>(reference: Implementation, question: Question<S, B>): boolean {
  const { algebra, graph, x, environment, seed } = question;
  const { additive } = algebra;
  const cotangents = reference.backpropAllCtx(additive, graph, x, environment, seed);
  const values = definition.evaluate(graph, x, environment);
  const pulledBack = graph.nodes.map((node, index) =>
    node.vjp(values, environment, entry(cotangents, graph.inputs.length + index)),
  );
  return cotangents.every((cotangent, id) => {
    const later = pulledBack.slice(Math.max(0, id + 1 - graph.inputs.length)).reverse();
    const bars = later.map((bar) => bar.get(nodeId(id)));
    const read = bars.reduce<Tensor<S>>(
      (total, bar) => (bar === undefined ? total : zip(total, bar, (a, b) => additive.add(a, b))),
      entry(seed, id),
    );
    return isSameTensor(question, cotangent, bars.includes(undefined) ? plusZero(question, read) : read);
  });
}

/** Returns `x + 0`, which over floats turns −0 into +0 and does nothing else. */
function plusZero<S, B>({ algebra: { additive } }: Question<S, B>, x: Tensor<S>): Tensor<S> {
  return map(x, (s) => additive.add(s, additive.zero));
}

function unsigned<S, B>(question: Question<S, B>, context: Context<S>): Context<S> {
  return context.map((tensor) => plusZero(question, tensor));
}

function sparseUpToSigns<S, B>(reference: Implementation, question: Question<S, B>): boolean {
  const { algebra, graph, x, environment, seed } = question;
  const everywhere = new Map(seed.map((c, id): [NodeId, Tensor<S>] => [nodeId(id), c]));
  const bars = reference.backpropSparse(algebra.additive, graph, x, environment, everywhere);
  const full = reference.backpropAllCtx(algebra.additive, graph, x, environment, seed);
  const sparse = dense(algebra.additive, contextShapes(graph), bars);
  return isSame(question, unsigned(question, sparse), unsigned(question, full));
}

/** Says whether `0 · x = 0` for every value, as in a semiring: it fails for ∞, NaN and 1/0. */
function areElements<S, B>({ algebra, semiring, ...question }: Question<S, B>): boolean {
  const isElement = (s: S): boolean => algebra.isSame(semiring.multiply(semiring.zero, s), semiring.zero);
  return definition
    .evaluate(question.graph, question.x, question.environment)
    .every(({ data }) => data.every(isElement));
}

/** The laws of a {@link Graph}, over exact commutative semirings. */
export const laws: Readonly<Record<string, Theorem>> = {
  "local law"(reference, question) {
    const { semiring, algebra, graph, x, environment, seed, tangents } = question;
    const values = reference.evaluate(graph, x, environment);
    return graph.nodes.every((node, index) => {
      const id = graph.inputs.length + index;
      const c = entry(seed, id);
      const before = tangents.slice(0, id);
      const bars = dense(semiring, contextShapes(graph).slice(0, id), node.vjp(values, environment, c));
      const left = dot(semiring, [node.jvp(values, before, environment)], [c]);
      return algebra.isSame(left, dot(semiring, before, bars));
    });
  },

  "global law"(reference, question) {
    if (!areElements(question)) return undefined;
    const { semiring, algebra, graph, x, dx, environment, seed } = question;
    const left = dot(semiring, reference.jvpCtx(graph, x, dx, environment), seed);
    const right = dot(semiring, dx, reference.backpropCtx(semiring, graph, x, environment, seed));
    return algebra.isSame(left, right);
  },

  "backpropagation is linear in the seed"(reference, question) {
    if (!areElements(question)) return undefined;
    const { semiring, graph, x, environment, seed, tangents } = question;
    const factor = semiring.add(semiring.one, semiring.add(semiring.one, semiring.one));
    const tripled = (context: typeof seed): typeof seed =>
      context.map((tensor) => map(tensor, (s) => semiring.multiply(factor, s)));
    const pull = (c: typeof seed): typeof seed =>
      reference.backpropAllCtx(semiring, graph, x, environment, c);
    return isSame(
      question,
      pull(add(semiring, tripled(seed), tangents)),
      add(semiring, tripled(pull(seed)), pull(tangents)),
    );
  },

  "the sparse form is the dense one, seeded at some ids"(reference, question) {
    if (!areElements(question)) return undefined;
    const { semiring, graph, x, environment, seeds } = question;
    const shapes = contextShapes(graph);
    const sparse = reference.backpropSparse(semiring, graph, x, environment, seeds);
    const seed = dense(semiring, shapes, seeds);
    const full = reference.backpropAllCtx(semiring, graph, x, environment, seed);
    return isSame(question, dense(semiring, shapes, sparse), full);
  },
};

/** Forward mode is evaluation over dual numbers: to the bit, floats included. */
export const forwardMode: Theorem = (reference, question) => {
  const { algebra, graph, program, x, dx, environment } = question;
  const lifted = interpret(expand(present(program, "a program")).graph, dual(algebra));
  if (!lifted.ok) return false;
  const point = x.map((tensor, id) => zip(tensor, entry(dx, id), (s, xDot) => ({ x: s, xDot })));
  const constants = mapEnvironment(environment, (s) => ({ x: s, xDot: algebra.additive.zero }));
  const duals = reference.evaluate(lifted.value, point, constants);
  const [values, tangents] = [
    duals.map((tensor) => map(tensor, (s) => s.x)),
    duals.map((tensor) => map(tensor, ({ xDot }) => xDot)),
  ];
  return (
    isSame(question, values, reference.evaluate(graph, x, environment)) &&
    isSame(question, tangents, reference.jvpCtx(graph, x, dx, environment))
  );
};
