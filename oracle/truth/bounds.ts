import { referenceConventions } from "../../engines/index.ts";
import {
  backpropSparse,
  type Environment,
  type EnvironmentValue,
  evaluate,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Node,
  type SparseContext,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import {
  type CompositeName,
  type FlatTensor,
  InvariantError,
  type NodeId,
  type PrimitiveName,
  present,
  shapesOf,
  type PrimitiveGraph as WrittenGraph,
} from "../../spec/index.ts";
import type { Case } from "../case.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { type Bounded, bounded, given, loosened, settle } from "./bounded.ts";
import type { Centre } from "./centre.ts";
import { byElimination } from "./elimination.ts";
import { declaredExcess, derivativeUlps, type Standard } from "./standard.ts";
import { insideComposite } from "./whole.ts";

/** What is asked of an id. */
export type Part = "value" | "tangent" | "cotangent";

/** Something known of every element at an id, for each part. */
export type Parts<T> = { readonly [P in Part]: (id: NodeId) => readonly T[] };

/**
 * The bounded values, tangents and cotangents of a case around a centre; cotangents in the sparse form, zero where
 * nothing arrives. Cost: an evaluation of the reference for each part, when it is first asked for.
 */
export function boundsAround<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
): Parts<Bounded<C>> {
  const { graph: program, point } = question;
  const graph = honestGraph(question, standard, centre);
  const lift = ({ shape, data }: FlatTensor): Tensor<Bounded<C>> =>
    tensor(shape, (position) => given(centre, standard, data[position] ?? 0));
  const shapes = shapesOf(program);
  const x = point.inputs.map(lift);
  const environment = liftEnvironment(question, lift);
  const { additive } = bounded(centre, standard, false);
  const zeros = (id: NodeId): Tensor<Bounded<C>> => tensor(shapes[id] ?? [], () => additive.zero);
  const values = lazily(() => evaluate(graph, x, environment));
  const tangents = lazily(() => jvpCtx(graph, x, question.tangents.map(lift), environment));
  const cotangents = lazily(() => {
    const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, lift(cotangent)]));
    return backpropSparse(additive, graph, x, environment, seed);
  });
  return {
    value: (id) => present(values()[id], "a value").data,
    tangent: (id) => present(tangents()[id], "a tangent").data,
    cotangent: (id) => (cotangents().get(id) ?? zeros(id)).data,
  };
}

/** Δ of a case over another carrier. */
export function liftEnvironment<S>(
  { graph, point }: Case,
  lift: (flat: FlatTensor) => Tensor<S>,
): Environment<S> {
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<S>] => {
      const flat = point.environment.get(name);
      if (flat === undefined) throw new InvariantError(`the point has no environment entry ${name}`);
      return [
        name,
        kind === "real" ? { kind, tensor: lift(flat) } : { kind, shape, indices: [...flat.data] },
      ];
    }),
  );
}

/**
 * The program over bounded values, as any honest engine may run it: every node rounds its sums before it hands
 * its value on, derivatives may be written in another form, and a tie is open where the engine declares
 * another convention than ours.
 */
export function honestGraph<C>(
  { graph: program, insides }: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
): Graph<Bounded<C>> {
  const decided = interpreted(program, standard, centre, false);
  const { field } = bounded(centre, standard, false).levels;
  const open = openTies(standard);
  const hasOpen =
    program.nodes.some(({ op }) => open.has(op)) || insides.some((inside) => inside !== undefined);
  const undecided = hasOpen ? interpreted(program, standard, centre, true) : decided;
  const nodes = program.nodes.flatMap((node, index): Node<Bounded<C>>[] => {
    const inside = insides[index];
    const isOpen = open.has(node.op) || (inside !== undefined && isKink(standard, inside.composite, node.op));
    const meaning = (isOpen ? undecided : decided).nodes[index];
    if (meaning === undefined) return [];
    const eliminating = byElimination(meaning, node.op, field, centre, standard);
    const free = inside === undefined ? eliminating : insideComposite(eliminating, inside, standard);
    return [honestNode(free, standard, centre, node.op)];
  });
  return { inputs: decided.inputs, nodes };
}

function interpreted<C>(
  program: WrittenGraph,
  standard: Standard,
  centre: Centre<C>,
  undecidedTies: boolean,
): Graph<Bounded<C>> {
  const graph = interpret(program, bounded(centre, standard, undecidedTies));
  if (!graph.ok) throw new InvariantError("the centre does not offer what the graph needs");
  return graph.value;
}

function honestNode<C>(
  node: Node<Bounded<C>>,
  standard: Standard,
  centre: Centre<C>,
  op: PrimitiveName,
): Node<Bounded<C>> {
  const settled = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
    t.data.some(({ terms }) => terms > 1) ? map(t, (x) => settle(centre, standard, x)) : t;
  const by =
    (ulps: number) =>
    (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
      ulps === 0 ? t : map(t, (x) => loosened(standard, x, ulps));
  const [asDeclared, loose] = [by(declaredExcess(standard, op)), by(derivativeUlps(standard, op))];
  return {
    ...node,
    forward: (context, environment) => settled(asDeclared(node.forward(context, environment))),
    jvp: (context, tangents, environment) => settled(loose(node.jvp(context, tangents, environment))),
    vjp: (context, environment, cotangent): SparseContext<Bounded<C>> => {
      const contributions = node.vjp(context, environment, settled(cotangent));
      return new Map([...contributions].map(([id, bar]) => [id, loose(bar)]));
    },
  };
}

/** The operators at whose ties or kinks the engine declares another choice than the reference. */
function openTies({ conventions }: Standard): ReadonlySet<PrimitiveName> {
  const open = new Set<PrimitiveName>();
  if (conventions.maximumAtTie !== referenceConventions.maximumAtTie) open.add("maximum");
  if (conventions.reluAtZero !== referenceConventions.reluAtZero) open.add("relu");
  return open;
}

/** Composites with kinks, or ties between elements, at which libraries differ. */
const kinked: ReadonlySet<CompositeName> = new Set([
  "abs",
  "minimum",
  "clip",
  "leaky_relu",
  "elu",
  "max",
  "min",
  "sort",
  "max_pool",
]);

/** Whether a tie at a primitive inside a composite is open, for an engine that has choices of its own there. */
function isKink({ conventions }: Standard, composite: CompositeName, op: PrimitiveName): boolean {
  const compares = op === "less" || op === "maximum";
  return compares && conventions.compositeKinks === "own" && kinked.has(composite);
}

/** Computes once, when first asked. */
export function lazily<T>(compute: () => T): () => T {
  const memory: { value?: { readonly of: T } } = {};
  return () => {
    memory.value ??= { of: compute() };
    return memory.value.of;
  };
}
