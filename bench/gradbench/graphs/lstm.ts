import { type Graph, graph, present, type Value } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/** There are this many layers, characters of text, and bits of a character, which a layer is as wide as. */
export interface LstmSizes {
  readonly layers: number;
  readonly characters: number;
  readonly bits: number;
}

/** The function reads these, in row-major order. */
export interface LstmData {
  /** These are weights and biases of the layers, in turn: `[2 layers, 4 bits]`. */
  readonly main: Float64Array;
  /** These are weights of the input, weights and biases of the output: `[3, bits]`. */
  readonly extra: Float64Array;
  /** These are hidden state and cell of the layers, in turn: `[2 layers, bits]`. */
  readonly state: Float64Array;
  /** This is the text as bits: `[characters, bits]`. */
  readonly text: Float64Array;
}

/**
 * Draws state and parameters uniformly from [0, 1), as the evaluation does without a seed; here the seed is
 * the other evaluations'. The text, which it reads from a file of ADBench's, is drawn too, in the same shape.
 */
export function lstmData({ layers, characters, bits }: LstmSizes): LstmData {
  const counts = [8 * layers * bits, 3 * bits, 2 * layers * bits, characters * bits];
  const drawn = numpyUniform(
    EVALUATION_SEED,
    0,
    counts.reduce((sum, count) => sum + count),
  );
  const [main = 0, extra = 0, state = 0] = counts;
  return {
    main: drawn.slice(0, main),
    extra: drawn.slice(main, main + extra),
    state: drawn.slice(main + extra, main + extra + state),
    text: drawn.slice(main + extra + state).map((x) => (x < 0.5 ? 0 : 1)),
  };
}

/**
 * Builds the loss of an LSTM with diagonal weights that predicts each character from those before it, by its
 * parameters. The loop has only what depends on the step before; input and output are matrices over all
 * steps. Source: https://github.com/gradbench/gradbench, cpp/gradbench/evals/lstm.hpp
 */
export function lstm(sizes: LstmSizes): Problem {
  const { layers, characters, bits } = sizes;
  const { main, extra, state, text } = lstmData(sizes);
  const built = lstmGraph(sizes);
  return {
    name: `lstm l=${layers} c=${characters} b=${bits}`,
    graph: built,
    point: {
      inputs: [tensor([2 * layers, 4 * bits], main), tensor([3, bits], extra)],
      environment: new Map([
        ["state", tensor([2 * layers, bits], state)],
        ["text", tensor([characters, bits], text)],
      ]),
    },
    outputs: [objectiveOf(built)],
  };
}

function lstmGraph({ layers, characters, bits }: LstmSizes): Graph {
  const steps = characters - 1;
  return graph(({ input, parameter, stack }) => {
    const main = input("main", [2 * layers, 4 * bits]);
    const extra = input("extra", [3, bits]);
    const state = parameter("state", [2 * layers, bits]);
    const text = parameter("text", [characters, bits]);
    const place = Array.from({ length: layers }, (_, layer) => layer);
    const parameters = place.map((i) => ({ weight: row(main, 2 * i), bias: row(main, 2 * i + 1) }));
    let states: readonly State[] = place.map((i) => ({
      hidden: row(state, 2 * i),
      cell: row(state, 2 * i + 1),
    }));
    const weighted = rows(text, 0, steps).multiply(row(extra, 0));
    const tops = Array.from({ length: steps }, (_, step) => {
      let below = row(weighted, step);
      states = parameters.map((layer, i) => {
        const next = advanced(layer, present(states[i], "state of a layer"), below);
        below = next.hidden;
        return next;
      });
      return below;
    });
    const predicted = stack(...tops, { axis: 0 })
      .multiply(row(extra, 1))
      .add(row(extra, 2));
    const normalizer = predicted
      .exp()
      .sum({ axes: [1], keepdims: true })
      .add(2)
      .log();
    return rows(text, 1, characters)
      .multiply(predicted.subtract(normalizer))
      .sum({ axes: [0, 1], keepdims: false })
      .negative()
      .divide(steps * bits);
  });
}

/** A layer keeps this from step to step. */
interface State {
  readonly hidden: Value;
  readonly cell: Value;
}

/** Steps a layer: its forget and output gates read the input, the other gates the state. */
function advanced(
  { weight, bias }: Readonly<Record<"weight" | "bias", Value>>,
  { hidden, cell }: State,
  input: Value,
): State {
  const bits = hidden.shape[0] ?? 0;
  const gate = (place: number, read: Value): Value =>
    read.multiply(part(weight, place, bits)).add(part(bias, place, bits));
  const kept = cell.multiply(gate(0, input).sigmoid());
  const entered = gate(1, hidden).sigmoid().multiply(gate(3, hidden).tanh());
  const next = kept.add(entered);
  return { cell: next, hidden: gate(2, input).sigmoid().multiply(next.tanh()) };
}

const part = (x: Value, place: number, bits: number): Value =>
  x.slice({ starts: [place * bits], stops: [(place + 1) * bits], steps: [1] });

const rows = (x: Value, from: number, to: number): Value =>
  x.slice({ starts: [from, 0], stops: [to, x.shape[1] ?? 0], steps: [1, 1] });

const row = (x: Value, place: number): Value =>
  rows(x, place, place + 1).reshape({ shape: [x.shape[1] ?? 0] });
