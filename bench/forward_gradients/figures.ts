import { logarithmic, logarithmicFromZero, plotOf, type Series } from "../../conformance/index.ts";
import { explain } from "../../oracle/index.ts";
import { decimalOfPosit, type Posit, posit } from "../../reference/numerics/index.ts";
import { floats, forwardGradient } from "../../reference/package.ts";
import {
  type Algebra,
  idCount,
  nodeId,
  present,
  siBases,
  standardPosit,
  undeclared,
} from "../../spec/index.ts";
import { perceptron } from "../tapes/families.ts";
import { markdownTable } from "../tapes/tables.ts";
import { lossesOf } from "./training.ts";

/** Losses are told at these steps. */
const TOLD = [0, 50, 100, 200, 400] as const;

const STEPS: number = TOLD[TOLD.length - 1] ?? 0;

/** A training has a name and its losses, the first before the first step. */
export interface Training {
  readonly name: string;
  readonly sweeps: string;
  readonly losses: readonly number[];
}

const same = (x: number): number => x;

/** Runs the three trainings over float64. Cost: a second or two. */
export function trainings(): Training[] {
  const run = (rate: number, directions?: number): readonly number[] =>
    lossesOf(floats.float64, same, {
      rate,
      steps: STEPS,
      seed: 1,
      ...(directions === undefined ? {} : { directions }),
    });
  return [
    { name: "reverse mode", sweeps: "1 there and back", losses: run(0.1) },
    { name: "8 directions", sweeps: "8 forward", losses: run(0.1, 8) },
    { name: "1 direction", sweeps: "1 forward", losses: run(0.03, 1) },
  ];
}

/** Runs the third of them over posit32, with sums in a quire, in some twenty seconds. */
export function positTraining(): Training {
  const made = posit(standardPosit(32), "quire");
  const algebra = present(made.ok ? made.value : undefined, "posit32");
  const losses = lossesOf(algebra, numberOfPosit, { rate: 0.03, steps: STEPS, seed: 1, directions: 1 });
  return { name: "1 direction, posit32 with a quire", sweeps: "1 forward", losses };
}

const numberOfPosit = (x: Posit): number => Number(decimalOfPosit(standardPosit(32), x));

/** Tabulates the losses of trainings. */
export function trainingTable(all: readonly Training[]): string[] {
  const short = (x: number | undefined): string => (x === undefined ? "" : x.toPrecision(2));
  const rows = all.map(({ name, sweeps, losses }) => [
    name,
    sweeps,
    ...TOLD.map((step) => short(losses[step])),
  ]);
  return markdownTable(["", "sweeps a step", ...TOLD.map((step) => `${step}`)], rows);
}

/** A network of this many layers holds this many bytes of float64 at once. */
interface Held {
  readonly depth: number;
  readonly forward: number;
  readonly reverse: number;
}

/** Finds from the graphs what is held by depth. */
export function heldByDepth(): Held[] {
  return [4, 8, 16, 32].map((depth) => {
    const { graph } = perceptron(depth);
    const of = [nodeId(idCount(graph) - 1)];
    const wrt = graph.inputs.map((_, id) => nodeId(id));
    const modes = [{ kind: "forward", tangents: 1 }, { kind: "reverse" }] as const;
    const memory = { modes, hasViews: true };
    const explained = explain(graph, undeclared(siBases), { of, wrt, sheaf: false, memory });
    const told = present(explained.ok ? explained.value.memory : undefined, "memory").modes;
    const bytes = (place: number): number => 8 * (told[place]?.peak.now ?? 0);
    return { depth, forward: bytes(0), reverse: bytes(1) };
  });
}

/** Tabulates what is held by depth. */
export function heldTable(held: readonly Held[]): string[] {
  const rows = held.map(({ depth, forward, reverse }) => [`${depth} layers`, `${forward}`, `${reverse}`]);
  return markdownTable(["", "forward, one direction", "reverse"], rows);
}

/** Terms with these exponents cancel. */
const CANCELLED = [10, 20, 26, 30] as const;

/**
 * Computes the slope of 2ᵉ x + y/3 − 2ᵉ z along (1, 1, 1), a third: in posit32 term by term, and in a
 * quire, with the decimal digits that are left.
 */
export function cancellationTable(): string[] {
  const rows = CANCELLED.map((exponent) => {
    const told = (["rounded", "quire"] as const).map((sums) => {
      const made = posit(standardPosit(32), sums);
      return slopeIn(present(made.ok ? made.value : undefined, "posit32"), exponent);
    });
    return [`2^${exponent}`, ...told.flatMap((x) => [x.toPrecision(6), digitsOf(x)])];
  });
  return markdownTable(["what cancels", "one by one", "digits", "in a quire", "digits"], rows);
}

function slopeIn<B>(algebra: Algebra<Posit, B>, exponent: number): number {
  const field = present(algebra.levels.field, "a field");
  const big = field.literal(2 ** exponent);
  const gradient = [big, field.divide(field.one, field.literal(3)), field.negative(big)];
  const ones = gradient.map(() => field.one);
  return numberOfPosit(forwardGradient.innerProduct(field, gradient, ones));
}

function digitsOf(x: number): string {
  const lost = Math.abs(3 * x - 1);
  return lost >= 1 ? "none" : `${Math.floor(-Math.log10(lost))}`;
}

/** Draws losses by step, and what is held by depth. */
export function drawing(all: readonly Training[], held: readonly Held[]): string {
  const lines = all.map(({ name, losses }, n): Series => {
    const points = losses.flatMap((loss, step) => (step % 4 === 0 ? [[step, loss] as const] : []));
    return { label: name, style: n + 1, isLine: true, isMarked: false, points };
  });
  const line = (label: string, style: number, bytes: (one: Held) => number): Series => ({
    label,
    style,
    isLine: true,
    points: held.map((one) => [one.depth, bytes(one)] as const),
  });
  return plotOf("a network trained with and without a way back", [
    {
      title: "the loss of a network of 33 weights",
      x: logarithmicFromZero("step", [0, 4, 20, 100, STEPS]),
      y: logarithmic("mean squared error", -4, 1),
      series: lines,
    },
    {
      title: "what is held at once, by depth",
      x: logarithmicFromZero("layers", [0, 4, 8, 16, 32]),
      y: logarithmic("bytes", 2, 6),
      series: [
        line("forward, one direction", 1, ({ forward }) => forward),
        line("reverse", 2, ({ reverse }) => reverse),
      ],
    },
  ]);
}
