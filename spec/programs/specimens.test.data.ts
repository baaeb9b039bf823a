import { type Program, statementKinds, statementsIn } from "./program.ts";
/** A program with every statement and transform: memory, control flow, calls, chance, the world. */
export const everyStatement: Program = {
  format: "adjudge.program.v1",
  state: [{ name: "total", shape: [2] }],
  aliases: [{ do: "view", name: "row", of: "total", how: { kind: "reshape", shape: [1, 2] } }],
  environment: [{ name: "c", shape: [2], kind: "real" }],
  procedures: [
    {
      name: "main",
      parameters: [{ name: "x", kind: "value", shape: [2] }],
      body: [
        { do: "let", name: "c2", op: "constant", attributes: { name: "c" }, operands: [] },
        { do: "let", name: "y", op: "multiply", attributes: {}, operands: ["x", "c2"] },
        { do: "rebind", name: "y", to: "x" },
        { do: "buffer", name: "b", from: "y" },
        { do: "let", name: "three", op: "full", attributes: { shape: [3], value: 2 }, operands: [] },
        {
          do: "for",
          counter: "i",
          times: 2,
          body: [
            {
              do: "view",
              name: "one",
              of: "b",
              how: { kind: "slice", starts: ["i"], sizes: [1], steps: [1] },
            },
            { do: "view", name: "scalar", of: "one", how: { kind: "reshape", shape: [] } },
            { do: "update", to: "scalar", op: "multiply", from: "i" },
          ],
        },
        { do: "write", to: "total", from: "b" },
        { do: "detach", name: "quiet", of: "b" },
        { do: "view", name: "wide", of: "b", how: { kind: "broadcast", shape: [2, 2] } },
        { do: "view", name: "tall", of: "wide", how: { kind: "permute", axes: [1, 0] } },
        { do: "view", name: "middle", of: "tall", how: { kind: "diagonal" } },
        {
          do: "view",
          name: "above",
          of: "tall",
          how: { kind: "diagonal", offset: 1, axes: [0, 1] },
        },
        { do: "view", name: "windows", of: "b", how: { kind: "unfold", axis: 0, size: 1, step: 1 } },
        {
          do: "view",
          name: "over",
          of: "b",
          how: { kind: "strided", start: 0, shape: [2], strides: [1] },
        },
        { do: "write", to: "windows", from: "windows" },
        { do: "let", name: "one", op: "full", attributes: { shape: [], value: 1 }, operands: [] },
        { do: "index", name: "k", of: "one" },
        { do: "buffer", name: "scratch", from: "x" },
        { do: "write_rows", to: "scratch", rows: ["k", 0, "k"], op: "add", from: "three" },
        { do: "write_where", to: "scratch", mask: "x", from: "one" },
        { do: "write_where", to: "scratch", mask: "x", op: "multiply", from: "one" },
        { do: "write_scatter", to: "scratch", mask: "x", from: "middle" },
        { do: "write_scatter", to: "scratch", mask: "x", op: "add", from: "x" },
        { do: "let", name: "n", op: "sum", attributes: { axes: [0], keepdims: false }, operands: ["middle"] },
        { do: "if", condition: "n", body: [{ do: "retain", of: "n" }], otherwise: [] },
        {
          do: "while",
          condition: "n",
          fuel: 3,
          body: [
            { do: "let", name: "none", op: "full", attributes: { shape: [], value: 0 }, operands: [] },
            { do: "rebind", name: "n", to: "none" },
          ],
        },
        { do: "call", names: ["r"], procedure: "double", operands: ["b"] },
        { do: "custom", names: ["p"], procedure: "double", derivative: "both", operands: ["b"] },
        { do: "hook", name: "h", of: "p", derivative: "square" },
        { do: "draw", name: "m", from: { kind: "bernoulli", rate: 0.5 }, shape: [2], key: [1, 2] },
        { do: "draw", name: "u", from: { kind: "uniform" }, shape: [2] },
        { do: "receive", name: "w", channel: "in", shape: [2] },
        { do: "send", channel: "out", from: "w" },
        { do: "no_grad", body: [{ do: "update", to: "quiet", op: "add", from: "m" }] },
        {
          do: "checkpoint",
          body: [{ do: "let", name: "e", op: "exp", attributes: {}, operands: ["u"] }],
        },
        {
          do: "differentiate",
          name: "g",
          procedure: "square",
          mode: "vjp",
          of: 0,
          wrt: 0,
          operands: ["x", "r"],
        },
        {
          do: "differentiate_call",
          names: ["doubled"],
          derivatives: ["pulled"],
          procedure: "double",
          mode: "vjp",
          of: [0, 1],
          wrt: [0],
          operands: ["b"],
          along: ["g", "r"],
        },
        { do: "release", of: "b" },
      ],
      results: [
        { name: "g", shape: [2] },
        { name: "r", shape: [2] },
      ],
    },
    {
      name: "double",
      parameters: [{ name: "v", kind: "reference", shape: [2] }],
      body: [
        { do: "update", to: "v", op: "add", from: "v" },
        {
          do: "for",
          counter: "k",
          times: 2,
          body: [
            {
              do: "if",
              condition: "k",
              body: [{ do: "return", operands: ["v"] }],
              otherwise: [{ do: "break" }],
            },
          ],
        },
      ],
      results: [{ name: "v", shape: [2] }],
    },
    {
      name: "square",
      parameters: [{ name: "v", kind: "value", shape: [2] }],
      body: [{ do: "let", name: "s", op: "multiply", attributes: {}, operands: ["v", "v"] }],
      results: [{ name: "s", shape: [2] }],
    },
    {
      name: "both",
      parameters: [{ name: "v", kind: "value", shape: [2] }],
      body: [],
      results: [
        { name: "v", shape: [2] },
        { name: "v", shape: [2] },
      ],
    },
  ],
};

/** The kinds of statement that {@link everyStatement} lacks: none. */
export const missingKinds: readonly string[] = statementKinds.filter(
  (kind) =>
    !everyStatement.procedures.some(({ body }) =>
      statementsIn(body).some((statement) => statement.do === kind),
    ),
);
