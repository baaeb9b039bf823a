import type { Random } from "fast-check";
import {
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  float64,
  interpret,
  type Graph as ReferenceGraph,
  type Tensor,
  tensor,
  zip,
} from "../../reference/index.ts";
import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import type { SeenJson, StatisticsJson } from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  at,
  InvariantError,
  type Issue,
  nodeId,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import { randomAt } from "../random/index.ts";
import { rangesOfBox } from "./box.ts";
import { type Run, type RunsAsked, runsOf } from "./runs.ts";

/** A training run makes so many calls, and steps what gradients are asked of after each. */
export interface TrainingAsked extends RunsAsked {
  readonly calls: number;
  readonly seed: number;
  /** This many times the gradient is subtracted; inputs that are stepped are drawn once, others anew. */
  readonly rate: number;
}

/**
 * Records what the values of a graph, of its gradient and of a forward gradient are in the calls of a
 * training run over float64: what is given is drawn from the box, evenly, and directions are of ±1. Law: the
 * same seed records the same. Fails: as derivation does. Cost: linear in calls.
 */
export function statisticsOf(graph: Graph, asked: TrainingAsked): Result<StatisticsJson, Issue[]> {
  const found = runsOf(graph, asked);
  if (!found.ok) return found;
  const { box, calls, seed, rate, wrt } = asked;
  const recorded = found.value.map((run) => new Recording(run));
  let inputs: readonly Tensor<number>[] = [];
  for (let call = 0; call < calls; call++) {
    const random = randomAt(seed, call);
    inputs = graph.inputs.map(({ shape }, id) =>
      rate > 0 && call > 0 && wrt.includes(nodeId(id))
        ? at(inputs, id)
        : drawn(shape, at(box.inputs, id), random),
    );
    const environment = drawnEnvironment(graph, asked, random);
    const gradient = recorded.map((one) => one.call(inputs, environment, random))[1];
    inputs = inputs.map((input, id) => {
      const step = gradient?.[wrt.indexOf(nodeId(id))];
      return step === undefined ? input : zip(input, step, (x, bar) => x - rate * bar);
    });
  }
  const { environment } = rangesOfBox(box);
  return ok({
    format: "adjudge.statistics.v1",
    calls,
    seed,
    rate,
    environment: Object.fromEntries(environment),
    runs: recorded.map((one) => one.json()),
  });
}

function drawn(shape: Shape, { low, high }: ElementRanges, random: Random): Tensor<number> {
  return tensor(shape, (place) => {
    const [least, greatest] = [at(low, place), at(high, place)];
    return least + (greatest - least) * (random.nextInt(0, 2 ** 30) / 2 ** 30);
  });
}

function drawnEnvironment(graph: Graph, { box }: RunsAsked, random: Random): Environment<number> {
  return new Map(
    graph.environment.map(({ name, shape }): [string, EnvironmentValue<number>] => {
      const range = box.environment.get(name);
      return range === undefined
        ? [name, { kind: "index", shape, indices: present(box.indices.get(name), name) }]
        : [name, { kind: "real", tensor: drawn(shape, range, random) }];
    }),
  );
}

/** Counts what one run's values are. */
class Recording {
  readonly #run: Run;
  readonly #meaning: ReferenceGraph<number>;
  readonly #seen: Tally[];

  constructor(run: Run) {
    this.#run = run;
    const meaning = interpret(run.boxed.graph, float64);
    if (!meaning.ok) throw new InvariantError(meaning.error[0]?.message ?? "no meaning");
    this.#meaning = meaning.value;
    const { inputs, nodes } = run.boxed.graph;
    this.#seen = [...inputs, ...nodes].map(() => new Tally());
  }

  /** Runs once and returns the results; seeds are at the end of their range, or at either end. */
  call(given: Context<number>, environment: Environment<number>, random: Random): Context<number> {
    const { boxed, results } = this.#run;
    const seeds = boxed.graph.inputs.slice(given.length).map(({ shape }, place) => {
      const { low, high } = at(boxed.box.inputs, given.length + place);
      return tensor(shape, (element) => at(random.nextInt(0, 1) === 0 ? low : high, element));
    });
    const values = evaluate(this.#meaning, [...given, ...seeds], environment);
    for (const [id, { data }] of values.entries()) for (const x of data) at(this.#seen, id).count(x);
    return results.map((id) => at(values, id));
  }

  json(): StatisticsJson["runs"][number] {
    const { name, names } = this.#run;
    return { run: name, values: this.#seen.map((tally, id) => tally.json(names(nodeId(id)))) };
  }
}

/** Counts the numbers of a value. */
class Tally {
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  #zeros = 0;
  #unknown = 0;
  readonly #exponents = new Map<number, number>();

  count(x: number): void {
    if (!Number.isFinite(x)) {
      this.#unknown += 1;
      return;
    }
    this.#least = Math.min(this.#least, x);
    this.#greatest = Math.max(this.#greatest, x);
    if (x === 0) this.#zeros += 1;
    else this.#exponents.set(exponentOf(x), (this.#exponents.get(exponentOf(x)) ?? 0) + 1);
  }

  json(name: string): SeenJson {
    return {
      name,
      ...(this.#least <= this.#greatest ? { range: [this.#least, this.#greatest] as const } : {}),
      zeros: this.#zeros,
      unknown: this.#unknown,
      exponents: Object.fromEntries([...this.#exponents].toSorted(([a], [b]) => a - b)),
    };
  }
}

/** Returns the `e` of 2ᵉ ≤ |x| < 2ᵉ⁺¹, also where the logarithm is rounded across a power. */
function exponentOf(x: number): number {
  const e = Math.floor(Math.log2(Math.abs(x)));
  return Math.abs(x) < 2 ** e ? e - 1 : Math.abs(x) >= 2 ** (e + 1) ? e + 1 : e;
}
