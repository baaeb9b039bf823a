import type { Value } from "../../../../spec/builder/index.ts";
import type { Call, Rule } from "../call.ts";
import { cut } from "./movement.ts";

/** One direction of a recurrent operator. */
interface Direction {
  readonly w: Value;
  readonly r: Value;
  readonly bIn: Value | undefined;
  readonly bHidden: Value | undefined;
  readonly states: readonly Value[];
  readonly peepholes: Value | undefined;
}

/** A step from states to the next ones, the first of which is the hidden state. */
type Step = (x: Value, states: readonly Value[], direction: Direction) => readonly Value[];

/** The most steps that are written out. */
const MAXIMUM_STEPS = 1_000;

/** x[index] along the first axis, without it. */
function at(x: Value, index: number): Value {
  return cut(x, 0, index, index + 1).reshape({ shape: x.shape.slice(1) });
}

function directionsOf(call: Call): readonly ("forward" | "reverse")[] {
  const direction = call.text("direction", "forward");
  if (direction === "bidirectional") return ["forward", "reverse"];
  if (direction === "forward" || direction === "reverse") return [direction];
  return call.refuse(
    `its direction is ${JSON.stringify(direction)}.`,
    "use forward, reverse or bidirectional",
  );
}

/** Refuses what would make other functions of the gates. */
function usualGates(call: Call, usual: readonly string[], count: number): readonly string[] {
  const given = call.texts("activations");
  for (const name of ["activation_alpha", "activation_beta"])
    if ((call.floats(name) ?? []).length > 0) call.refuse(`it has ${name}.`, "leave it out");
  if (call.has("clip")) call.refuse("it clips its gates.", "leave clip out");
  const expected = Array.from({ length: count }, () => usual).flat();
  if (given === undefined || given.length === 0) return expected;
  if (given.length !== expected.length)
    return call.refuse(`it has ${given.length} activations.`, "name one for each gate");
  return given;
}

const activations: Readonly<Record<string, (x: Value) => Value>> = {
  relu: (x) => x.relu(),
  sigmoid: (x) => x.sigmoid(),
  softplus: (x) => x.softplus(),
  tanh: (x) => x.tanh(),
  softsign: (x) => x.divide(x.abs().add(1)),
};

function activation(call: Call, name: string | undefined): (x: Value) => Value {
  const found = activations[(name ?? "").toLowerCase()];
  return (
    found ?? call.refuse(`its activation ${JSON.stringify(name)} is not there.`, "use Tanh, Sigmoid or Relu")
  );
}

/** Unrolls a recurrence over time, in each direction. */
function unrolled(
  call: Call,
  gates: number,
  states: number,
  functions: readonly string[],
  step: (own: readonly ((x: Value) => Value)[]) => Step,
) {
  const directions = directionsOf(call);
  const names = usualGates(call, functions, directions.length);
  const isBatchFirst = call.int("layout", 0) === 1;
  const swap = (x: Value): Value =>
    x.permute_dims({ axes: x.shape.map((_, axis) => (axis < 2 ? 1 - axis : axis)) });
  const x = isBatchFirst ? swap(call.float_(0)) : call.float_(0);
  if (x.shape.length !== 3) return call.refuse("x has not three axes.", "x is [steps, batch, inputs]");
  const [steps = 0, batch = 0] = x.shape;
  const hidden = call.shape(2).at(-1) ?? 0;
  if (call.int("hidden_size", hidden) !== hidden)
    return call.refuse("its hidden_size does not fit.", "R has it");
  call.expectShape(1, [directions.length, gates * hidden, x.shape[2] ?? 0]);
  call.expectShape(2, [directions.length, gates * hidden, hidden]);
  if (call.hasOperand(3)) call.expectShape(3, [directions.length, 2 * gates * hidden]);
  if (steps < 1 || steps > MAXIMUM_STEPS)
    return call.refuse(`it has ${steps} steps.`, `steps are written out, from 1 to ${MAXIMUM_STEPS}`);
  if (call.hasOperand(4) && call.integers(4, "sequence_lens").some((length) => length !== steps))
    return call.refuse("its sequences end at different steps.", "make all as long as x is");
  const initial = (place: number, way: number): Value => {
    if (!call.hasOperand(place)) return call.builder.full({ shape: [batch, hidden], value: 0 });
    return at(isBatchFirst ? swap(call.value(place)) : call.value(place), way);
  };
  const runs = directions.map((name, way) => {
    const bias = call.hasOperand(3) ? at(call.value(3), way) : undefined;
    const direction: Direction = {
      w: at(call.value(1), way).permute_dims({ axes: [1, 0] }),
      r: at(call.value(2), way).permute_dims({ axes: [1, 0] }),
      bIn: bias && cut(bias, 0, 0, gates * hidden),
      bHidden: bias && cut(bias, 0, gates * hidden, 2 * gates * hidden),
      states: Array.from({ length: states }, (_, state) => initial(5 + state, way)),
      peepholes: call.hasOperand(7) ? at(call.value(7), way) : undefined,
    };
    const own = names.slice(way * functions.length, (way + 1) * functions.length);
    const next = step(own.map((one) => activation(call, one)));
    const order = Array.from({ length: steps }, (_, time) => (name === "forward" ? time : steps - 1 - time));
    let last = direction.states;
    const outputs: (readonly [number, Value])[] = [];
    for (const time of order) {
      last = next(at(x, time), last, direction);
      outputs.push([time, last[0] ?? at(x, time)]);
    }
    return { last, outputs: outputs.toSorted(([a], [b]) => a - b).map(([, output]) => output) };
  });
  const { stack } = call.builder;
  const piled = (values: readonly Value[], axis: number): Value => {
    const [first, ...others] = values;
    return first === undefined
      ? call.refuse("it has no directions.", "give one")
      : stack(first, ...others, { axis });
  };
  // [steps, directions, batch, hidden], or [batch, steps, directions, hidden].
  const y = piled(
    runs.map(({ outputs }) => piled(outputs, 0)),
    1,
  );
  const all = isBatchFirst ? y.permute_dims({ axes: [2, 0, 1, 3] }) : y;
  const lasts = Array.from({ length: states }, (_, state) =>
    piled(
      runs.map(({ last }) => last[state] ?? x),
      isBatchFirst ? 1 : 0,
    ),
  );
  return [all, ...lasts];
}

/** The part of gate `index`. */
function gate(x: Value, index: number, hidden: number): Value {
  return cut(x, x.shape.length - 1, index * hidden, (index + 1) * hidden);
}

function plus(x: Value, y: Value | undefined): Value {
  return y === undefined ? x : x.add(y);
}

const rnn: Rule = {
  operands: [3, 6],
  apply: (call) =>
    unrolled(call, 1, 1, ["Tanh"], ([f = (x) => x.tanh()]) => (x, [h = x], { w, r, bIn, bHidden }) => [
      f(plus(plus(x.matmul(w).add(h.matmul(r)), bIn), bHidden)),
    ]),
};

const lstm: Rule = {
  operands: [3, 8],
  apply(call) {
    if (call.flag("input_forget")) return call.refuse("its gates are coupled.", "leave input_forget out");
    const usual = ["Sigmoid", "Tanh", "Tanh"];
    return unrolled(
      call,
      4,
      2,
      usual,
      ([f, g, k]) =>
        (x, [h = x, c = x], { w, r, bIn, bHidden, peepholes }) => {
          if (f === undefined || g === undefined || k === undefined)
            return call.refuse("it lacks activations.", "name three");
          const hidden = h.shape[1] ?? 0;
          const sums = plus(plus(x.matmul(w).add(h.matmul(r)), bIn), bHidden);
          const peeped = (place: number, state: Value): Value | undefined =>
            peepholes && gate(peepholes, place, hidden).multiply(state);
          // The gates stand in the order input, output, forget, cell; the peepholes input, output, forget.
          const input = f(plus(gate(sums, 0, hidden), peeped(0, c)));
          const forget = f(plus(gate(sums, 2, hidden), peeped(2, c)));
          const cell = forget.multiply(c).add(input.multiply(g(gate(sums, 3, hidden))));
          const output = f(plus(gate(sums, 1, hidden), peeped(1, cell)));
          return [output.multiply(k(cell)), cell];
        },
    );
  },
};

const gru: Rule = {
  operands: [3, 6],
  apply(call) {
    const isLinear = call.flag("linear_before_reset");
    return unrolled(call, 3, 1, ["Sigmoid", "Tanh"], ([f, g]) => (x, [h = x], { w, r, bIn, bHidden }) => {
      if (f === undefined || g === undefined) return call.refuse("it lacks activations.", "name two");
      const hidden = h.shape[1] ?? 0;
      const fromInput = plus(x.matmul(w), bIn);
      const fromHidden = plus(h.matmul(r), bHidden);
      const both = (index: number): Value =>
        f(gate(fromInput, index, hidden).add(gate(fromHidden, index, hidden)));
      const [update, reset] = [both(0), both(1)];
      const lastBias = bHidden && gate(bHidden, 2, hidden);
      const fromReset = isLinear
        ? reset.multiply(gate(fromHidden, 2, hidden))
        : plus(reset.multiply(h).matmul(gate(r, 2, hidden)), lastBias);
      const proposed = g(gate(fromInput, 2, hidden).add(fromReset));
      return [call.builder.subtract(1, update).multiply(proposed).add(update.multiply(h))];
    });
  },
};

/** Recurrent operators, written out step by step. */
export const recurrence: Readonly<Record<string, Rule>> = { GRU: gru, LSTM: lstm, RNN: rnn };
