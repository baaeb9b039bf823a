import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type Builder, graph, nodeId, present, type Value } from "../../spec/index.ts";
import { arithmeticOf } from "./javascript/emit/arithmetic.ts";
import { loopProgramText } from "./javascript/loops/program.ts";
import { straightProgramText } from "./javascript/straight/program.ts";
import type { Order } from "./plan/executable.ts";
import { lower, type Request } from "./plan/lower/index.ts";
import { type PlanOptions, plan } from "./plan/planned.ts";
import type { LoopProgram } from "./plan/program.ts";
import { specimen } from "./plan/programs.test.kit.ts";
import { workOf } from "./plan/work.ts";
import { writtenOut } from "./plan/written_out.ts";
import { wasmBackend } from "./wasm/backend.ts";

/** Each makes a graph, whose last node is what is asked about. */
const graphs: Readonly<Record<string, (b: Builder) => Value>> = {
  product: ({ input }) => input("x", [16, 12]).matmul(input("y", [12, 20])),
  softmax: ({ input }) => input("x", [9, 33]).softmax({ axis: 1 }),
  normalized: ({ input }) =>
    input("x", [8, 24]).layer_norm(input("g", [24]), input("b", [24]), { axes: [1], epsilon: 1e-3 }),
  dense: ({ input }) => {
    const [x, w, b] = [input("x", [7, 5]), input("w", [5, 6]), input("b", [6])];
    return x.matmul(w).add(b).tanh().exp();
  },
  scanned: ({ input }) => {
    const [x, y] = [input("x", [6, 40]), input("y", [6, 1])];
    return x.cumulative_sum({ axis: 1 }).maximum(y);
  },
  inverted: ({ input }) => {
    const [a, b] = [input("a", [4, 4]), input("b", [4, 3])];
    return a.solve(b).relu();
  },
  scalars: ({ input }) => {
    const [x, y] = [input("x", []), input("y", [])];
    return x.multiply(x).subtract(y).pow(x).add(y.sin()).divide(x.exp());
  },
  chain: ({ input }) => {
    let x = input("x", [64]);
    for (let n = 0; n < 12; n++) x = x.sin().multiply(x);
    return x;
  },
};

function lowered(
  make: (b: Builder) => Value,
  asked: "value" | "cotangent",
  regime: PlanOptions["regime"],
): LoopProgram {
  const { graph: written, output } = writtenOut(graph(make), regime, undefined);
  const last = nodeId(output);
  const ids = written.inputs.map((_, id) => nodeId(id));
  const request: Request =
    asked === "value"
      ? { values: [last] }
      : { values: [], cotangents: { ids, seeds: [{ id: last, from: "source" }] } };
  return lower(written, request, regime);
}

/** A text is known by its length and a few digits of its hash. */
const digest = (text: string): string =>
  `${text.length} ${createHash("sha256").update(text).digest("hex").slice(0, 6)}`;

/** Tells all that was chosen for a program: rewrites, memory, the code's shape, lanes, copies and order. */
function told(name: string, program: LoopProgram, options: PlanOptions): string {
  const planned = plan(program, options);
  const { fired, instructions, arenaBytes, checkpointing } = planned.report;
  const order: Order = { ...planned, ...options };
  const memory = { ...planned, arithmetic: arithmeticOf(options.precision, options.regime) };
  const straight = straightProgramText(memory, options.regime);
  const nests: string[] = [];
  wasmBackend({
    schedule: (schedule) => {
      const { order: axes, vector, copies, isOrdered } = schedule;
      nests.push(`${axes.join("")}/${vector ?? "-"}/${copies.join("")}${isOrdered ? "o" : ""}`);
      return schedule;
    },
    packed: (found) => {
      nests.push(`packed ${found.size}`);
      return found;
    },
  }).build(order);
  const firedText = Object.entries(fired)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([rewrite, times]) => `${rewrite} ${times}`)
    .join(", ");
  return [
    `${name} ${options.regime}: ${instructions.after} of ${instructions.before}, work ${workOf(planned.program)}, arena ${arenaBytes}`,
    `  ${firedText || "no rewrite"}`,
    ...(checkpointing === undefined ? [] : [`  ${JSON.stringify(checkpointing)}`]),
    `  ${straight === undefined ? "loops" : `straight ${digest(straight)}, loops`} ${digest(loopProgramText(memory, options.regime))}`,
    `  ${nests.length > 20 ? digest(nests.join(" ")) : nests.join(" ")}`,
  ].join("\n");
}

const regimes: readonly PlanOptions[] = [
  { regime: "bit_exact", precision: "float64" },
  { regime: "fast", precision: "float32" },
];

function made(name: string): (b: Builder) => Value {
  return present(graphs[name], `the graph ${name}`);
}

/** What is chosen for each graph, and for random programs. */
function choices(): readonly string[] {
  const of = (name: string, asked: "value" | "cotangent"): readonly string[] =>
    regimes.map((options) => told(`${name} ${asked}`, lowered(made(name), asked, options.regime), options));
  const random = [1, 2, 3, 4].map((seed) => {
    const options = regimes[seed % 2] ?? { regime: "fast", precision: "float32" };
    return told(`random ${seed}`, specimen(seed, { integers: true, instructions: 24 }).program, options);
  });
  const budgets = [2_000, 4_000].map((budgetBytes) =>
    told(`chain in ${budgetBytes}`, lowered(made("chain"), "cotangent", "fast"), {
      regime: "fast",
      precision: "float32",
      budgetBytes,
    }),
  );
  return [
    ...of("product", "value"),
    ...Object.keys(graphs).flatMap((name) => of(name, "cotangent")),
    ...random,
    ...budgets,
  ];
}

/**
 * For each program: instructions left of those lowered, their estimated work, bytes of the arena, how often
 * each rewrite fired, the JavaScript's length and hash, and of each WebAssembly nest the order of its axes,
 * the axis in lanes, the copies along each, and whether its sums keep their order. A change that is wanted is
 * put here from what the failing test shows.
 */
const known = `
product value bit_exact: 1 of 1, work 15680, arena 2560
  no rewrite
  loops 1177 ee1f78
  102/1/421o
product value fast: 1 of 1, work 15680, arena 1280
  no rewrite
  loops 1177 ee1f78
  102/1/521
product cotangent bit_exact: 2 of 3, work 31152, arena 3456
  dead_code 1
  loops 2359 485c67
  102/1/421o 102/1/421o
product cotangent fast: 2 of 3, work 31152, arena 1728
  dead_code 1
  loops 2359 485c67
  012/2/421 102/1/521
softmax cotangent bit_exact: 6 of 46, work 9639, arena 2608
  buffer_reuse 2, dead_code 64, fold_fusion 1, in_place 1, map_fusion 12, view_composition 42
  loops 8075 adaecd
  10/0/11 0/0/1 01/1/11 01/0/41o 01/0/41o 01/1/14
softmax cotangent fast: 5 of 16, work 8046, arena 1296
  buffer_reuse 1, dead_code 29, fold_fusion 1, in_place 1, map_fusion 4, view_composition 6
  loops 3494 0e2934
  01/1/18 01/1/11 01/1/18 01/1/16 01/1/14
normalized cotangent bit_exact: 16 of 41, work 9992, arena 3584
  buffer_reuse 2, common_subexpressions 3, dead_code 65, fold_fusion 4, in_place 8, map_fusion 8, units 5, view_composition 9
  loops 8375 2343d3
  01/0/41o 0/0/4 01/1/14 01/0/41o 0/0/4 01/1/14 01/0/41o 01/0/41o 01/0/41o 0/0/4 01/1/12 01/0/41o 0/0/4 01/1/14
normalized cotangent fast: 16 of 41, work 9992, arena 1792
  buffer_reuse 2, common_subexpressions 3, dead_code 65, fold_fusion 4, in_place 8, map_fusion 8, units 5, view_composition 9
  loops 8391 f0445b
  01/1/16 0/0/4 01/1/14 01/1/16 0/0/4 01/1/14 01/0/41 01/0/41 01/1/41 0/0/4 01/1/12 01/1/16 0/0/4 01/1/14
dense cotangent bit_exact: 5 of 10, work 3557, arena 912
  dead_code 16, in_place 1, map_fusion 5, view_composition 1
  straight 22711 62ae98, loops 9063 04dfb5
  102/1/421o 01/1/11 01/0/31o 012/0/241o 102/1/421o
dense cotangent fast: 5 of 10, work 3557, arena 480
  dead_code 16, in_place 1, map_fusion 5, view_composition 1
  straight 23357 558762, loops 9079 b6a52f
  102/1/711 01/1/11 01/0/11 012/2/421 102/1/511
scanned cotangent bit_exact: 3 of 7, work 4806, arena 3888
  dead_code 9, fold_fusion 1, map_fusion 1, view_composition 2
  straight 52923 c46564, loops 3204 ad961e
  01/0/31o 01/0/31o 01/0/31o
scanned cotangent fast: 3 of 7, work 4806, arena 1952
  dead_code 9, fold_fusion 1, map_fusion 1, view_composition 2
  straight 55912 47c556, loops 3588 3cd616
  01/0/11o 01/1/16 01/0/11o
inverted cotangent bit_exact: 5 of 6, work 368, arena 416
  dead_code 6, in_place 1
  loops 2495 dc5e0e
  0/0/4 102/1/423o 0/0/4
inverted cotangent fast: 5 of 6, work 368, arena 208
  dead_code 6, in_place 1
  loops 2527 b0fdb0
  0/0/4 102/1/413 0/0/4
scalars cotangent bit_exact: 4 of 20, work 57, arena 48
  common_subexpressions 5, dead_code 50, in_place 1, map_fusion 19, units 1
  straight 383 bddc45, loops 1105 8b5b4b
  /-/ /-/ /-/ /-/
scalars cotangent fast: 4 of 20, work 57, arena 48
  common_subexpressions 5, dead_code 50, in_place 1, map_fusion 19, units 1
  straight 415 7b3de8, loops 1137 3778d8
  /-/ /-/ /-/ /-/
chain cotangent bit_exact: 9 of 72, work 8448, arena 4096
  common_subexpressions 4, dead_code 207, in_place 1, map_fusion 75
  loops 3498 76b51d
  0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/1
chain cotangent fast: 9 of 72, work 8448, arena 2048
  common_subexpressions 4, dead_code 207, in_place 1, map_fusion 75
  loops 3498 76b51d
  0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/1
random 1 fast: 1 of 24, work 20, arena 16
  dead_code 33, units 1
  straight 185 051139, loops 348 19ce5c
  0/0/4
random 2 bit_exact: 4 of 24, work 10, arena 64
  common_subexpressions 2, dead_code 40, map_fusion 2, units 4, view_composition 1
  loops 211 77a280
  /-/ /-/ /-/
random 3 fast: 3 of 25, work 68, arena 160
  dead_code 39, map_fusion 1, view_composition 2
  straight 426 cf904b, loops 358 7a2b48
  /-/ 01/1/14 0/0/4
random 4 bit_exact: 7 of 27, work 38, arena 176
  common_subexpressions 3, dead_code 38, units 10
  loops 418 2d90be
  01/0/12o 0/0/4 /-/ /-/ 0/0/4 0/0/4
chain in 2000 fast: 73 of 72, work 23808, arena 1536
  buffer_reuse 22, checkpointing 20, dead_code 163, in_place 45, map_fusion 18
  {"storedBytes":5632,"peakBytes":1536,"recomputed":20,"fits":true}
  loops 13405 6315df
  437 50518e
chain in 4000 fast: 9 of 72, work 8448, arena 2048
  common_subexpressions 4, dead_code 207, in_place 1, map_fusion 75
  {"storedBytes":2048,"peakBytes":2048,"recomputed":0,"fits":true}
  loops 3498 76b51d
  0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/4 0/0/1 0/0/1 0/0/1
`;

test("planner and backends choose as they are known to: a change of a choice is seen here", () => {
  expect(`\n${choices().join("\n")}\n`).toBe(known);
});

test.each([
  [8, 1, 2],
  [9, 1, 9],
  [9, 4, 9],
  [9, 5, 1],
])("JavaScript takes a transposition to %d columns, of %d sines, with %d stores written out: eight rounds at a time where rows are longer than eight and at most four functions are applied", (columns, sines, stores) => {
  const options = { regime: "bit_exact", precision: "float64" } as const;
  const program = lowered(
    ({ input }) => {
      let x = input("x", [columns, 24]).permute_dims({ axes: [1, 0] });
      for (let n = 0; n < sines; n++) x = x.sin();
      return x;
    },
    "value",
    options.regime,
  );
  const arithmetic = arithmeticOf(options.precision, options.regime);
  const text = loopProgramText({ ...plan(program, options), arithmetic }, options.regime);
  expect(text.match(/A\[[^\]]*\]=/g)?.length).toBe(stores);
});
