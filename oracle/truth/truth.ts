import { referenceConventions } from "../../engines/index.ts";
import {
  backpropSparse,
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Node,
  type Rational,
  type SparseContext,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import {
  type FlatTensor,
  InvariantError,
  type NodeId,
  nodeId,
  type OperatorName,
  type PrimitiveGraph as Program,
  type Shape,
  shapesOf,
} from "../../spec/index.ts";
import type { Case } from "../case.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { type Bounded, bounded, given, loosened, radius, settle } from "./bounded.ts";
import { approximateRational, type Centre, exactCentre, floatCentre, isWithin } from "./centre.ts";
import { degreesOf } from "./degree.ts";
import { derivativeUlps, type Profile } from "./profile.ts";

/** Beyond this multiplicative degree exact numbers grow too long, and the centre is the float64 reference. */
const MAXIMUM_DEGREE = 64;

/** What is true of one component of an answer, for any engine that keeps to a profile. */
export interface Component {
  /** Whether an honest engine may answer this; `undecided` where no bound is known and the answers differ. */
  judge(answer: number): "within" | "outside" | "undecided";
  /** The true value in exact form, or the reference's where it is only enclosed. */
  readonly expected: string;
  /** The bound on `|answer − expected|`; not finite where nothing is known. */
  readonly bound: number;
}

/** The true answers to a case, with their bounds. */
export interface Truth {
  /** Whether the expected values are exact. */
  readonly isExact: boolean;
  /** The shape of every id. */
  readonly shapes: readonly Shape[];
  /** The components of the value at an id. */
  value(id: NodeId): readonly Component[];
  /** The components of the tangent at an id. */
  tangent(id: NodeId): readonly Component[];
  /** The components of the cotangent at an id, in the sparse form: zero where nothing arrives. */
  cotangent(id: NodeId): readonly Component[];
}

/**
 * The truth about a case for an engine of a profile: exact rational values where the graph is rational and of
 * moderate degree, else the float64 reference; each with the bound of running error analysis around it.
 * `centre: "float"` takes the float64 reference in any case. Cost: a few evaluations of the reference, on demand.
 */
export function primitiveTruthOf(
  question: PrimitiveCase,
  profile: Profile,
  centre: "best" | "float" = "best",
): Truth {
  const isExact = centre === "best" && degreesOf(question.graph).every((degree) => degree <= MAXIMUM_DEGREE);
  return isExact
    ? truthAround(question, profile, exactCentre, exactComponent(profile))
    : truthAround(question, profile, floatCentre, floatComponent(profile));
}

function truthAround<C, B>(
  question: PrimitiveCase,
  profile: Profile,
  centre: Centre<C, B>,
  component: (x: Bounded<C>) => Component,
): Truth {
  const { graph: program, point } = question;
  const graph = honestGraph(program, profile, centre);
  const lift = ({ shape, data }: FlatTensor): Tensor<Bounded<C>> =>
    tensor(shape, (position) => given(centre, profile, data[position] ?? 0));
  const shapes = shapesOf(program);
  const x = point.inputs.map(lift);
  const environment = liftEnvironment(question, lift);
  const zero: Bounded<C> = { centre: centre.fromNumber(0), error: 0, magnitude: 0, terms: 0 };
  const zeros = (id: NodeId): Tensor<Bounded<C>> => tensor(shapes[id] ?? [], () => zero);
  const values = lazily(() => evaluate(graph, x, environment));
  const tangents = lazily(() => jvpCtx(graph, x, question.tangents.map(lift), environment));
  const cotangents = lazily(() => {
    const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, lift(cotangent)]));
    return backpropSparse(bounded(centre, profile, false).additive, graph, x, environment, seed);
  });
  const components = (t: Tensor<Bounded<C>>): Component[] => t.data.map(component);
  return {
    isExact: centre.unitRoundoff === 0,
    shapes,
    value: (id) => components(at(values(), id)),
    tangent: (id) => components(at(tangents(), id)),
    cotangent: (id) => components(cotangents().get(id) ?? zeros(id)),
  };
}

function liftEnvironment<S>({ graph, point }: Case, lift: (flat: FlatTensor) => Tensor<S>): Environment<S> {
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
function honestGraph<C, B>(program: Program, profile: Profile, centre: Centre<C, B>): Graph<Bounded<C>> {
  const decided = interpreted(program, profile, centre, false);
  const open = openTies(profile);
  const undecided = program.nodes.some(({ op }) => open.has(op))
    ? interpreted(program, profile, centre, true)
    : decided;
  const nodes = program.nodes.flatMap((node, index): Node<Bounded<C>>[] => {
    const meaning = (open.has(node.op) ? undecided : decided).nodes[index];
    if (meaning === undefined) return [];
    return [honestNode(meaning, profile, centre, derivativeUlps(profile, node.op))];
  });
  return { inputs: decided.inputs, nodes };
}

function interpreted<C, B>(
  program: Program,
  profile: Profile,
  centre: Centre<C, B>,
  undecidedTies: boolean,
): Graph<Bounded<C>> {
  const graph = interpret(program, bounded(centre, profile, undecidedTies));
  if (!graph.ok) throw new InvariantError("the centre does not offer what the graph needs");
  return graph.value;
}

function honestNode<C, B>(
  node: Node<Bounded<C>>,
  profile: Profile,
  centre: Centre<C, B>,
  ulps: number,
): Node<Bounded<C>> {
  const settled = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => map(t, (x) => settle(centre, profile, x));
  const loose = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => map(t, (x) => loosened(profile, x, ulps));
  return {
    ...node,
    forward: (context, environment) => settled(node.forward(context, environment)),
    jvp: (context, tangents, environment) => settled(loose(node.jvp(context, tangents, environment))),
    vjp: (context, environment, cotangent): SparseContext<Bounded<C>> => {
      const contributions = node.vjp(context, environment, settled(cotangent));
      return new Map([...contributions].map(([id, bar]) => [id, loose(bar)]));
    },
  };
}

/** The operators at whose ties or kinks the engine declares another choice than the reference. */
function openTies({ conventions }: Profile): ReadonlySet<OperatorName> {
  const open = new Set<OperatorName>();
  if (conventions.maximumAtTie !== referenceConventions.maximumAtTie) open.add("maximum");
  if (conventions.reluAtZero !== referenceConventions.reluAtZero) open.add("relu");
  return open;
}

function exactComponent(profile: Profile): (x: Bounded<Rational>) => Component {
  return (x) => {
    const bound = radius(profile, x);
    const near = approximateRational(x.centre);
    const slack = Math.abs(near) * 2 ** -50;
    return {
      judge: (answer) => {
        if (!Number.isFinite(bound) || x.centre.denominator === 0n) return "undecided";
        // Most answers are far inside; only the others need exact arithmetic.
        if (Math.abs(answer - near) + slack < bound) return "within";
        return isWithin(answer, x.centre, bound) ? "within" : "outside";
      },
      get expected() {
        return exactCentre.algebra.format(x.centre);
      },
      bound,
    };
  };
}

function floatComponent(profile: Profile): (x: Bounded<number>) => Component {
  return (x) => {
    const bound = radius(profile, x);
    return {
      judge: (answer) => {
        if (Object.is(answer, x.centre)) return "within";
        if (!Number.isFinite(bound) || !Number.isFinite(x.centre)) return "undecided";
        return isWithin(answer, floatAsRational(x.centre), bound) ? "within" : "outside";
      },
      get expected() {
        return floatCentre.algebra.format(x.centre);
      },
      bound,
    };
  };
}

function floatAsRational(x: number): Rational {
  return exactCentre.fromNumber(x);
}

function at<S>(context: Context<S>, id: NodeId): Tensor<S> {
  const found = context[id];
  if (found === undefined) throw new InvariantError(`no id ${nodeId(id)}`);
  return found;
}

/** Computes once, when first asked. */
function lazily<T>(compute: () => T): () => T {
  const memory: { value?: { readonly of: T } } = {};
  return () => {
    memory.value ??= { of: compute() };
    return memory.value.of;
  };
}
