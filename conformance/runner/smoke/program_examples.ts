import type { ProgramCall, SessionStart } from "../../../spec/contract/index.ts";
import type { Seed } from "../../../spec/graph/index.ts";
import { type ProgramBuilder, type ProgramOperand, program } from "../../../spec/program_builder/index.ts";
import type { Program, StatementKind } from "../../../spec/programs/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";

/** A program is called at x = [2, 3], with tangent [1, 10] and a cotangent of ones; here are its answers. */
export interface ProgramExample {
  readonly program: Program;
  readonly seeds: readonly Seed[];
  readonly result: FlatTensor;
  readonly tangent: FlatTensor;
  readonly cotangent: FlatTensor;
  readonly sent: readonly FlatTensor[];
  readonly retained: readonly FlatTensor[];
}

/** Each example is called with these. */
export const exampleCall: Pick<ProgramCall, "parameters" | "environment" | "received" | "tangents"> & {
  readonly session: SessionStart;
} = {
  parameters: [vector(2, 3)],
  environment: new Map(),
  received: new Map([["in", [vector(5, 7)]]]),
  session: { state: [], generator: { key: [1, 2], drawn: 0 } },
  tangents: [vector(1, 10)],
};

/** Returns a tensor of rank 1. */
export function vector(...data: readonly number[]): FlatTensor {
  return { shape: [data.length], data: Float64Array.from(data) };
}

type Write = (builder: ProgramBuilder) => ProgramOperand;

type Numbers = readonly [result: readonly number[], tangent: readonly number[], cotangent: readonly number[]];

function example(
  write: Write,
  [result, tangent, cotangent]: Numbers,
  more: Partial<Pick<ProgramExample, "sent" | "retained">> = {},
): ProgramExample {
  return {
    program: program((builder) => [write(builder)]),
    seeds: [{ id: nodeId(0), cotangent: vector(...result.map(() => 1)) }],
    result: vector(...result),
    tangent: vector(...tangent),
    cotangent: vector(...cotangent),
    sent: [],
    retained: [],
    ...more,
  };
}

/** x² and x³ leave these numbers. */
const square: Numbers = [
  [4, 9],
  [4, 60],
  [4, 6],
];
const cube: Numbers = [
  [8, 27],
  [12, 270],
  [12, 27],
];

/** An example for each statement, in which no tape finds anything overwritten. */
export const programExamples: Readonly<Record<StatementKind, ProgramExample>> = {
  let: example(({ input }) => {
    const x = input("x", [2]);
    return x.multiply(x);
  }, square),
  rebind: example(({ input }) => {
    const x = input("x", [2]);
    const y = x.add(x);
    y.becomes(x.multiply(x));
    return y;
  }, square),
  buffer: example(({ input, buffer }) => {
    const b = buffer(input("x", [2]));
    return b.multiply(b);
  }, square),
  view: example(
    ({ input, buffer }) => {
      const v = buffer(input("x", [2])).view({ kind: "slice", starts: [1], sizes: [1], steps: [1] });
      return v.multiply(v);
    },
    [[9], [60], [0, 6]],
  ),
  write: example(
    ({ input, buffer }) => {
      const b = buffer(input("x", [2]));
      b.at(0).write(b.at(1));
      return b;
    },
    [
      [3, 3],
      [10, 10],
      [0, 2],
    ],
  ),
  update: example(
    ({ input, buffer }) => {
      const b = buffer(input("x", [2]));
      b.at(0).update("add", b.at(1));
      return b;
    },
    [
      [5, 3],
      [11, 10],
      [1, 2],
    ],
  ),
  write_rows: example(
    ({ input, buffer }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      b.writeRows([1, 1], x, "add");
      return b;
    },
    [
      [2, 8],
      [1, 21],
      [2, 2],
    ],
  ),
  write_where: example(
    ({ input, buffer }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      b.writeWhere(x.less(2.5), x.multiply(x));
      return b;
    },
    [
      [4, 3],
      [4, 10],
      [4, 1],
    ],
  ),
  write_scatter: example(
    ({ input, buffer }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      b.writeScatter(x.greater(2.5), x.multiply(x));
      return b;
    },
    [
      [2, 4],
      [1, 4],
      [5, 0],
    ],
  ),
  index: example(
    ({ input, buffer, full, index }) => {
      const place = index(full({ shape: [], value: 1 }));
      const starts = [place.name];
      const v = buffer(input("x", [2])).view({ kind: "slice", starts, sizes: [1], steps: [1] });
      return v.multiply(v);
    },
    [[9], [60], [0, 6]],
  ),
  detach: example(
    ({ input }) => {
      const x = input("x", [2]);
      return x.multiply(x.detach());
    },
    [
      [4, 9],
      [2, 30],
      [2, 3],
    ],
  ),
  if: example(
    ({ input, buffer, full, if_ }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      if_(
        full({ shape: [], value: 1 }),
        () => b.update("add", x),
        () => b.write(x.multiply(x)),
      );
      return b;
    },
    [
      [4, 6],
      [2, 20],
      [2, 2],
    ],
  ),
  for: example(
    ({ input, buffer, for_ }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      for_(2, () => b.update("add", x));
      return b;
    },
    [
      [6, 9],
      [3, 30],
      [3, 3],
    ],
  ),
  while: example(
    ({ input, buffer, full, while_ }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      const left = full({ shape: [], value: 2 });
      while_(left, 4, () => {
        b.update("add", x);
        left.becomes(left.add(-1));
      });
      return b;
    },
    [
      [6, 9],
      [3, 30],
      [3, 3],
    ],
  ),
  break: example(
    ({ input, buffer, for_, break_ }) => {
      const x = input("x", [2]);
      const b = buffer(x);
      for_(2, () => {
        b.update("add", x);
        break_();
      });
      return b;
    },
    [
      [4, 6],
      [2, 20],
      [2, 2],
    ],
  ),
  call: example(({ input, procedure, call }) => {
    const squared = procedure("squared", [{ name: "u", kind: "value", shape: [2] }], (u) => [u.multiply(u)]);
    return call(squared, input("x", [2]))[0] ?? 0;
  }, square),
  // A procedure overwrites what it gets by its square; another one says that the derivative is that of 3·u.
  custom: example(
    ({ input, buffer, procedure, custom }) => {
      const b = buffer(input("x", [2]));
      const squared = procedure("squared", [{ name: "w", kind: "reference", shape: [2] }], (w) => {
        if ("isReference" in w) w.write(w.multiply(w));
        return [];
      });
      const tripled = procedure("tripled", [{ name: "u", kind: "value", shape: [2] }], (u) => [
        u.multiply(3),
      ]);
      custom(squared, tripled, b);
      return b;
    },
    [
      [4, 9],
      [3, 30],
      [3, 3],
    ],
  ),
  hook: example(
    ({ input, procedure, hook }) => {
      const x = input("x", [2]);
      const tripled = procedure("tripled", [{ name: "u", kind: "value", shape: [2] }], (u) => [
        u.multiply(3),
      ]);
      return hook(x, tripled).multiply(x);
    },
    [
      [4, 9],
      [8, 120],
      [8, 12],
    ],
  ),
  return: example(({ input, buffer, full, if_, return_ }) => {
    const x = input("x", [2]);
    const b = buffer(x);
    if_(full({ shape: [], value: 1 }), () => return_(x.multiply(x)));
    return b;
  }, square),
  // Nothing is dropped at a rate of 0.
  draw: example(
    ({ input, draw }) => draw({ kind: "bernoulli", rate: 0 }, [2]).multiply(input("x", [2])),
    [
      [2, 3],
      [1, 10],
      [1, 1],
    ],
  ),
  receive: example(
    ({ input, receive }) => receive("in", [2]).multiply(input("x", [2])),
    [
      [10, 21],
      [5, 70],
      [5, 7],
    ],
  ),
  send: example(
    ({ input, send }) => {
      const x = input("x", [2]);
      send("out", x);
      return x.multiply(x);
    },
    square,
    { sent: [vector(2, 3)] },
  ),
  no_grad: example(
    ({ input, noGrad }) => {
      const x = input("x", [2]);
      const y = x.add(0);
      noGrad(() => y.becomes(x.multiply(x)));
      return y.multiply(x);
    },
    [
      [8, 27],
      [4, 90],
      [4, 9],
    ],
  ),
  checkpoint: example(({ input, buffer, checkpoint }) => {
    const x = input("x", [2]);
    const b = buffer(x);
    checkpoint(() => b.write(x.multiply(x)));
    return b.multiply(x);
  }, cube),
  retain: example(
    ({ input }) => {
      const x = input("x", [2]);
      const y = x.multiply(x);
      y.retain();
      return y.multiply(x);
    },
    cube,
    { retained: [vector(2, 3)] },
  ),
  release: example(({ input, buffer }) => {
    const b = buffer(input("x", [2]));
    const y = b.multiply(b);
    b.release();
    return y;
  }, square),
  // The derivative of u² along x, at x: 2x².
  differentiate: example(
    ({ input, procedure, derivative }) => {
      const squared = procedure("squared", [{ name: "u", kind: "value", shape: [2] }], (u) => [
        u.multiply(u),
      ]);
      const x = input("x", [2]);
      return derivative(squared, { mode: "vjp", of: 0, wrt: 0 }, x, x);
    },
    [
      [8, 18],
      [8, 120],
      [8, 12],
    ],
  ),
  // The derivative of u² along x, at x: 2x². The location is overwritten once, by u², and then by 0.
  differentiate_call: example(
    ({ input, buffer, procedure, derivedCall }) => {
      const squares = procedure("squares", [{ name: "u", kind: "reference", shape: [2] }], (u) => {
        if ("isReference" in u) u.update("multiply", u);
        return [];
      });
      const x = input("x", [2]);
      const b = buffer(x);
      const how = { mode: "vjp", of: [0], wrt: [0], along: [x] } as const;
      const [slope = x] = derivedCall(squares, how, b);
      b.update("subtract", b);
      return slope.add(b);
    },
    [
      [8, 18],
      [8, 120],
      [8, 12],
    ],
  ),
};

/** A location that keeps what is added to it, from call to call. */
export const countingProgram: Program = program(({ input, state }) => {
  const kept = state("kept", [2]);
  kept.update("add", input("x", [2]));
  return [kept];
});
