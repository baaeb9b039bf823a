import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { referenceConventions } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { expandCase, type PrimitiveCase } from "../../oracle/case/expansion.ts";
import { floatEnvironment, unflatten } from "../../oracle/case/reference_run.ts";
import { caseAt, chainProfile, scalar20Profile } from "../../oracle/generate/index.ts";
import { approximateRational, differenceOf, exactCentre } from "../../oracle/truth/centre/index.ts";
import type { Part, Parts } from "../../oracle/truth/nodes/bounds.ts";
import { forwardUlps, type Standard, standardOf } from "../../oracle/truth/standard/index.ts";
import { intervalsOf, primitiveTruthOf, type Truth } from "../../oracle/truth/truth.ts";
import {
  backpropSparse,
  evaluate,
  floats,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Node,
  type SparseContext,
  type Tensor,
} from "../../reference/package.ts";
import {
  type BinaryName,
  binadeOf,
  type DataType,
  elementary,
  everyLevel,
  type FlatTensor,
  formats,
  InvariantError,
  idCount,
  nodeId,
  present,
  shapesOf,
  sizeOf,
  type UnaryName,
} from "../../spec/index.ts";

/** A sample is the first `cases` scalar graphs of a seed, of this many nodes, in a precision. */
export interface Sample {
  readonly dtype: DataType;
  readonly nodes: number;
  readonly cases: number;
  readonly seed: number;
  /** If true, the graphs' derivatives are asked, so that tangents and cotangents are second derivatives. */
  readonly isDerived?: boolean;
  /** If true, the engine's functions err at random by all that the standard allows, not as the host's do. */
  readonly isErring?: boolean;
  /** The engine declares this: {@link hostUlps} is what ours keeps; without it the default standard holds. */
  readonly accuracy: Standard["accuracy"];
}

/** This says how far the bound is from the true error of a right engine, over all numbers that it rounds. */
export interface Sharpness {
  /** This is the median of bound / |answer − truth| over the answers that are off at all. */
  readonly median: number;
  readonly percentile99: number;
  /** This many answers were off, with a bound. */
  readonly measured: number;
  /** This many answers are the true value to the bit, and have no ratio. */
  readonly exact: number;
}

/** No answer has as many bits; what is still unknown has no true error to compare with. */
const BITS = 320;

const parts: readonly Part[] = ["value", "tangent", "cotangent"];

/** On chains wide bounds are counted too. */
export interface ChainSharpness extends Sharpness {
  /** This share of bounds exceeds a thousandth of the number. */
  readonly wide: number;
}

/** Measures the bound on a seed's first chains, of 120 to 200 nodes, most of them in a row, in float64. */
export function chainSharpnessOf({
  cases,
  seed,
  accuracy,
}: Pick<Sample, "cases" | "seed" | "accuracy">): ChainSharpness {
  const standard = standardOf({ conventions: referenceConventions, accuracy }, "float64");
  const ratios: number[] = [];
  const counts = { exact: 0, bounds: 0, wide: 0 };
  for (let index = 0; index < cases; index++) {
    const { question } = expandCase(caseAt(chainProfile, seed, index));
    const answers = answersOf(question, referenceGraph(question, "float64"), "float64");
    const truth = primitiveTruthOf(question, standard);
    for (const part of parts) {
      for (const [id, intervals] of intervalsOf(question, standard, part, BITS).entries()) {
        for (const [element, { low, bound: known }] of intervals.entries()) {
          const component = present(truth[part](nodeId(id))[element], "a component");
          if (!Number.isFinite(known + component.bound) || low.numerator === 0n) continue;
          const answer = present(answers[part](nodeId(id))[element], "an answer");
          const error = approximateRational(
            differenceOf(exactCentre, exactCentre.field.literal(answer), low),
          );
          if (error === 0) counts.exact += 1;
          else ratios.push(component.bound / Math.abs(error));
          counts.bounds += 1;
          if (component.bound > 1e-3 * Math.abs(approximateRational(low))) counts.wide += 1;
        }
      }
    }
  }
  const { exact, bounds, wide } = counts;
  return { ...percentilesOf(ratios), exact, wide: wide / bounds };
}

function percentilesOf(ratios: number[]): Omit<Sharpness, "exact"> {
  ratios.sort((a, b) => a - b);
  const at = (share: number): number => ratios[Math.floor(share * (ratios.length - 1))] ?? Number.NaN;
  return { median: at(0.5), percentile99: at(0.99), measured: ratios.length };
}

/**
 * Measures the bound on a sample. The engine is the reference's arithmetic, which the interpreter shares.
 * Where the sample says so, its functions err more: that is the true error of an engine that the standard is
 * made for.
 */
export function sharpnessOf(sample: Sample): Sharpness {
  const standard = standardOf({ conventions: referenceConventions, accuracy: sample.accuracy }, sample.dtype);
  const ratios: number[] = [];
  let exact = 0;
  const random = new Random(xoroshiro128plus(sample.seed));
  for (const question of casesOf(sample)) {
    const graph =
      (sample.isErring ?? false)
        ? erringGraph(question, standard, random)
        : referenceGraph(question, sample.dtype);
    const answers = answersOf(question, graph, sample.dtype);
    const truth = primitiveTruthOf(question, standard);
    for (const part of parts) {
      for (const [id, intervals] of intervalsOf(question, standard, part, BITS).entries()) {
        if ((sample.isDerived ?? false) && !isSecondDerivative(question, part, id)) continue;
        for (const [element, { low, high, bound: known }] of intervals.entries()) {
          const bound =
            (sample.isDerived ?? false)
              ? present(truth[part](nodeId(id))[element], "a component").bound
              : known;
          if (!Number.isFinite(known + bound)) continue;
          const answer = exactCentre.field.literal(present(answers[part](nodeId(id))[element], "an answer"));
          const [above, below] = [
            differenceOf(exactCentre, answer, low),
            differenceOf(exactCentre, answer, high),
          ];
          // If the enclosure's ends lie on both sides, the answer cannot be told from the truth.
          if (above.numerator >= 0n && below.numerator <= 0n) exact += 1;
          else ratios.push(bound / Math.abs(approximateRational(above)));
        }
      }
    }
  }
  return { ...percentilesOf(ratios), exact };
}

/** This says how small a fault can be and still be caught. */
export interface Sensitivity {
  /** At this many places a number that a node hands on was made wrong: a value or a cotangent. */
  readonly places: number;
  /** At this many of them an honest engine keeps all but {@link LOST_BITS} bits of the number. */
  readonly wellConditioned: number;
  /** For each relative fault, the largest first, it is caught at this share of well-conditioned places. */
  readonly caught: readonly { readonly fault: number; readonly share: number }[];
}

/** An honest engine may lose this many bits of a number that counts as well-conditioned. */
export const LOST_BITS = 10;

/** Makes one number after the other wrong by each of the relative `faults`, in every case of a sample. */
export function sensitivityOf(sample: Sample, faults: readonly number[]): Sensitivity {
  const standard = standardOf({ conventions: referenceConventions, accuracy: sample.accuracy }, sample.dtype);
  const counts = faults.map((fault) => ({ fault, caught: 0 }));
  let [places, wellConditioned] = [0, 0];
  for (const question of casesOf(sample)) {
    const truth = primitiveTruthOf(question, standard);
    const graph = referenceGraph(question, sample.dtype);
    for (let index = 0; index < graph.nodes.length; index++) {
      for (const part of ["value", "cotangent"] as const) {
        places += 1;
        if (!isWellConditioned(question, graph, index, part, truth, standard)) continue;
        wellConditioned += 1;
        for (const count of counts) {
          const faulty = withFault(graph, index, part, count.fault, sample.dtype);
          if (isCaught(truth, answersOf(question, faulty, sample.dtype))) count.caught += 1;
        }
      }
    }
  }
  const caught = counts.map(({ fault, caught: n }) => ({ fault, share: n / wellConditioned }));
  return { places, wellConditioned, caught };
}

/** Tells whether a part is a second derivative: a tangent of the derivative's value, or a cotangent. */
function isSecondDerivative({ graph }: PrimitiveCase, part: Part, id: number): boolean {
  return part === "tangent" ? id === idCount(graph) - 1 : part === "cotangent" && id < graph.inputs.length;
}

/** Asks for the derivative of a case's last value by one of its inputs, at the same point. */
function derivedCase(question: Case, place: number): Case {
  const { graph: inner, point, tangents } = question;
  const of = nodeId(idCount(inner) - 1);
  const shape = present(shapesOf(inner)[of], "a shape");
  const wrt = nodeId(place % inner.inputs.length);
  const parents = Array.from({ length: inner.inputs.length + 1 }, (_, id) => nodeId(id));
  const seed = present(question.seeds.find(({ id }) => id === of) ?? question.seeds[0], "a seed");
  const given = { shape, data: new Float64Array(sizeOf(shape)).fill(seed.cotangent.data[0] ?? 1) };
  const value = nodeId(parents.length);
  const input = present(inner.inputs[wrt], "an input");
  return {
    graph: {
      ...inner,
      inputs: [...inner.inputs, { name: "cotangent", shape }],
      nodes: [{ op: "differentiate", attributes: { graph: inner, mode: "vjp", of, wrt }, parents }],
    },
    point: { ...point, inputs: [...point.inputs, given] },
    tangents: [...tangents, given],
    seeds: [{ id: value, cotangent: { shape: input.shape, data: present(tangents[wrt], "a tangent").data } }],
  };
}

/** Lists a sample's cases, expanded to primitives, their numbers rounded to its precision. */
function* casesOf({ dtype, nodes, cases, seed, isDerived = false }: Sample): Generator<PrimitiveCase, void> {
  const drawn = { ...scalar20Profile, name: `scalar${nodes}`, nodes: [nodes, nodes] } as const;
  const { round } = formats[dtype];
  const rounded = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map(round) });
  for (let index = 0; index < cases; index++) {
    const own = caseAt(drawn, seed, index);
    const { graph, point, tangents, seeds, insides, applications } = expandCase(
      isDerived ? derivedCase(own, index) : own,
    ).question;
    const environment = new Map(
      graph.environment.map(({ name, kind }) => {
        const entry = present(point.environment.get(name), "environment entry");
        return [name, kind === "real" ? rounded(entry) : entry];
      }),
    );
    yield {
      graph,
      insides,
      applications,
      point: { inputs: point.inputs.map(rounded), environment },
      tangents: tangents.map(rounded),
      seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: rounded(cotangent) })),
    };
  }
}

function referenceGraph({ graph }: PrimitiveCase, dtype: DataType): Graph<number> {
  const meaning = interpret(graph, floats[dtype]);
  if (!meaning.ok) throw new InvariantError("floats lack an operation of the graph");
  return meaning.value;
}

/** Makes elementary functions err evenly, by up to what a standard allows, in a precision's floats. */
function erringGraph({ graph }: PrimitiveCase, standard: Standard, random: Random): Graph<number> {
  const algebra = floats[standard.dtype];
  const { round } = formats[standard.dtype];
  const real = present(algebra.levels.orderedReal, "the functions of floats");
  const err = (name: UnaryName | BinaryName, x: number): number => {
    const by =
      (2 * random.nextDouble() - 1) * forwardUlps(standard, name) * 2 * standard.unitRoundoff * binadeOf(x);
    return Number.isFinite(x) && x !== 0 ? round(x + by) : x;
  };
  const functions = elementary<number>(
    (name) => (x) => err(name, real[name](x)),
    (name) => (x, y) => err(name, real[name](x, y)),
  );
  const meaning = interpret(graph, { ...algebra, levels: everyLevel({ ...real, ...functions }) });
  if (!meaning.ok) throw new InvariantError("floats lack an operation of the graph");
  return meaning.value;
}

function cotangentsOf(question: PrimitiveCase, graph: Graph<number>, dtype: DataType): SparseContext<number> {
  const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, unflatten(cotangent)]));
  const x = question.point.inputs.map(unflatten);
  return backpropSparse(floats[dtype].additive, graph, x, floatEnvironment(question), seed);
}

/** Computes an engine's answers with `graph`. */
function answersOf(question: PrimitiveCase, graph: Graph<number>, dtype: DataType): Parts<number> {
  const x = question.point.inputs.map(unflatten);
  const environment = floatEnvironment(question);
  const values = evaluate(graph, x, environment);
  const tangents = jvpCtx(graph, x, question.tangents.map(unflatten), environment);
  const cotangents = cotangentsOf(question, graph, dtype);
  return {
    value: (id) => present(values[id], "a value").data,
    tangent: (id) => present(tangents[id], "a tangent").data,
    cotangent: (id) => cotangents.get(id)?.data ?? present(values[id], "a value").data.map(() => 0),
  };
}

/** Makes one node's value, or what it hands back, wrong by a relative `fault`. */
function withFault(
  graph: Graph<number>,
  index: number,
  part: "value" | "cotangent",
  fault: number,
  dtype: DataType,
): Graph<number> {
  const { round } = formats[dtype];
  const wrong = (t: Tensor<number>): Tensor<number> => map(t, (x) => round(x * (1 + fault)));
  const faulty = (node: Node<number>): Node<number> =>
    part === "value"
      ? { ...node, forward: (context, environment) => wrong(node.forward(context, environment)) }
      : {
          ...node,
          vjp: (context, environment, cotangent) =>
            new Map([...node.vjp(context, environment, cotangent)].map(([id, bar]) => [id, wrong(bar)])),
        };
  return { ...graph, nodes: graph.nodes.map((node, i) => (i === index ? faulty(node) : node)) };
}

/** Tells whether the bound where the faulty number first shows leaves all but {@link LOST_BITS} bits. */
function isWellConditioned(
  question: PrimitiveCase,
  graph: Graph<number>,
  index: number,
  part: "value" | "cotangent",
  truth: Truth,
  { unitRoundoff, dtype }: Standard,
): boolean {
  const isKept = (bound: number | undefined, x: number): boolean =>
    x !== 0 && bound !== undefined && bound <= 2 ** LOST_BITS * unitRoundoff * Math.abs(x);
  const id = nodeId(question.graph.inputs.length + index);
  const environment = floatEnvironment(question);
  const values = evaluate(graph, question.point.inputs.map(unflatten), environment);
  if (part === "value") {
    return present(values[id], "a value").data.some((x, i) => isKept(truth.value(id)[i]?.bound, x));
  }
  const cotangent = cotangentsOf(question, graph, dtype).get(id);
  const node = graph.nodes[index];
  if (cotangent === undefined || node === undefined) return false;
  const handed = node.vjp(values.slice(0, id), environment, cotangent);
  return [...handed].some(([parent, bar]) =>
    bar.data.some((x, i) => isKept(truth.cotangent(nodeId(parent))[i]?.bound, x)),
  );
}

function isCaught({ shapes, ...truth }: Truth, answers: Parts<number>): boolean {
  return shapes.some((_, id) =>
    parts.some((part) => {
      const given = answers[part](nodeId(id));
      return truth[part](nodeId(id)).some(
        (component, i) => component.judge(given[i] ?? Number.NaN) === "outside",
      );
    }),
  );
}
