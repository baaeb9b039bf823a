import { describe, expect, test } from "vitest";
import { checkProgram } from "../documents/index.ts";
import { program } from "../program_builder/index.ts";
import type { Program, Statement } from "../programs/index.ts";
import { frameOf } from "./fault.ts";
import { programText } from "./program_writer.ts";
import { readText } from "./read.ts";

/** The document that a text denotes, as JSON. Throws what is wrong with the text, if it denotes none. */
function documentIn(text: string): unknown {
  const read = readText(text);
  if (!read.ok) throw new Error(read.error.flatMap((fault) => frameOf("f.adj", text, fault)).join("\n"));
  return JSON.parse(JSON.stringify(read.value[0]?.json));
}

/** The statements of the entry of a program. */
function statementsIn(text: string): readonly Statement[] {
  const checked = checkProgram(documentIn(text));
  return checked.ok ? (checked.value.procedures[0]?.body ?? []) : [];
}

/** A program whose own lines are these, over x: [3] and a location w: [2, 3]. */
function lines(...all: readonly string[]): readonly Statement[] {
  return statementsIn(
    [
      "program f(x: [3], q) given (c, i: index [2])",
      "  state w: [2, 3]",
      ...all.map((line) => `  ${line}`),
    ].join("\n"),
  );
}

const full = (name: string, value: number, ...shape: readonly number[]): object => ({
  ...{ do: "let", name, op: "full", attributes: { shape, value }, operands: [] },
});

const applied = (name: string, op: string, ...operands: readonly string[]): object => ({
  ...{ do: "let", name, op, attributes: {}, operands },
});

const broadcast = (name: string, of: string, ...shape: readonly number[]): object => ({
  ...{ do: "let", name, op: "broadcast_to", attributes: { shape }, operands: [of] },
});

describe("A line means statements", () => {
  test("of values within each other, in the order of the builder", () => {
    const written = documentIn("program f(x: [3], q)\n  return -(2 * sin(x)) + q ** 2 / 3");
    const built: Program = program(({ input, sin, negative, pow, multiply, divide, add }) => {
      const [x, q] = [input("x", [3]), input("q")];
      return [add(negative(multiply(2, sin(x))), divide(pow(q, 2), 3))];
    });
    expect(written).toEqual(built);
  });

  test("of other names of locations, in the order of the builder", () => {
    const text = `program f(x: [2])
  state flat: [6]
  state weight = flat[0:4].reshape([2, 2])
  state tied = weight.permute(1, 0)
  state whole = flat
  tied[0] += x
  return whole`;
    const built: Program = program(({ input, state, alias }) => {
      const x = input("x", [2]);
      const flat = state("flat", [6]);
      const part = { kind: "slice", starts: [0], sizes: [4], steps: [1] } as const;
      const weight = alias("weight", flat, part, { kind: "reshape", shape: [2, 2] });
      const tied = alias("tied", weight, { kind: "permute", axes: [1, 0] });
      const whole = alias("whole", flat);
      tied.view({ kind: "slice", starts: [0, 0], sizes: [1, 2], steps: [1, 1] }).update("add", x);
      return [whole];
    });
    expect(documentIn(text)).toEqual(built);
    expect(documentIn(programText(built))).toEqual(built);
    expect(programText(built)).toContain("  state weight = flat[0:4].reshape([2, 2])\n");
  });

  test.each([
    ["state b = w * 2", "text/state", "w * 2"],
    ["state b = v[0]", "text/name", "v"],
    ["state b: [2, 3] = w", "text/state", "w"],
    ["state b, c = w", "text/state", "c"],
    ["state b = w.permute(1, 0).reshape([6])", "program/copy", "w.permute(1, 0).reshape([6])"],
  ])("but not where %s is no view of one", (line, code, marked) => {
    const text = `program f(x: [3])\n  state w: [2, 3]\n  ${line}\n  return w\n`;
    const read = readText(text);
    const [fault] = read.ok ? [] : read.error;
    expect(fault?.code).toBe(code);
    expect(text.slice(fault?.place.start, fault?.place.end)).toBe(marked);
  });

  test("of numbers and names of Δ, which take the shape that is due", () => {
    expect(lines("a = 2", "b: [2, 3] = -1", "d = c", "e = x")).toEqual([
      full("a", 2),
      full("b", -1, 2, 3),
      { do: "let", name: "d", op: "constant", attributes: { name: "c" }, operands: [] },
      { do: "let", name: "e", op: "reshape", attributes: { shape: [3] }, operands: ["x"] },
    ]);
    expect(lines("a: [2] = -0")).toEqual([full("%1", 0, 2), applied("a", "negative", "%1")]);
    expect(lines("y = x * q")).toEqual([broadcast("%1", "q", 3), applied("y", "multiply", "x", "%1")]);
  });

  test("of views, with ends that may be left out", () => {
    const slice = (
      starts: readonly (number | string)[],
      sizes: readonly number[],
      steps: readonly number[],
    ) => ({
      ...{ kind: "slice", starts, sizes, steps },
    });
    const view = (name: string, of: string, how: object): object => ({ do: "view", name, of, how });
    expect(lines("v = w[0, 0:3:2]")).toEqual([view("v", "w", slice([0, 0], [1, 2], [1, 2]))]);
    expect(lines("v = w[1]")).toEqual([view("v", "w", slice([1, 0], [1, 3], [1, 1]))]);
    expect(lines("v = w[:, 1:]")).toEqual([view("v", "w", slice([0, 1], [2, 2], [1, 1]))]);
    expect(lines("v = w[:, ::2]")).toEqual([view("v", "w", slice([0, 0], [2, 2], [1, 2]))]);
    expect(lines("v = w.permute(1, 0).reshape([6]).broadcast([2, 6]).diagonal()")).toEqual([
      view("%1", "w", { kind: "permute", axes: [1, 0] }),
      view("%2", "%1", { kind: "reshape", shape: [6] }),
      view("%3", "%2", { kind: "broadcast", shape: [2, 6] }),
      view("v", "%3", { kind: "diagonal" }),
    ]);
    expect(lines("v = w[::-1, 2:0:-1]")).toEqual([view("v", "w", slice([1, 2], [2, 2], [-1, -1]))]);
    expect(lines("v = w[:, 2::-2]")).toEqual([view("v", "w", slice([0, 2], [2, 2], [1, -2]))]);
    expect(lines("v = w.diagonal(1)", "u = w.diagonal(-1, 1, 0)", "t = w.unfold(1, 2, 1)")).toEqual([
      view("v", "w", { kind: "diagonal", offset: 1, axes: [0, 1] }),
      view("u", "w", { kind: "diagonal", offset: -1, axes: [1, 0] }),
      view("t", "w", { kind: "unfold", axis: 1, size: 2, step: 1 }),
    ]);
    expect(lines("for k in 2:", "  v = w.reshape([6]).strided(k, [2, 2], [2, 1])")).toMatchObject([
      {
        do: "for",
        body: [
          view("%1", "w", { kind: "reshape", shape: [6] }),
          view("v", "%1", { kind: "strided", start: "k", shape: [2, 2], strides: [2, 1] }),
        ],
      },
    ]);
    expect(lines("for k in 2:", "  u = w[0, k:k - 1:-1]")).toMatchObject([
      { do: "for", body: [view("u", "w", slice([0, "k"], [1, 1], [1, -1]))] },
    ]);
    expect(lines("for k in 2:", "  w[k, k:k + 2] += 1", "  v = w[k, k:k]")).toMatchObject([
      {
        do: "for",
        body: [
          view("%1", "w", slice(["k", "k"], [1, 2], [1, 1])),
          full("%2", 1, 1, 2),
          { do: "update", to: "%1", op: "add", from: "%2" },
          view("v", "w", slice(["k", "k"], [1, 0], [1, 1])),
        ],
      },
    ]);
  });

  test("of writes, updates and names that are bound anew", () => {
    expect(lines("w <- 1", "w[0] <- x", "w max= w", "w /= c", "x := 2 * x", "x := q")).toEqual([
      full("%1", 1, 2, 3),
      { do: "write", to: "w", from: "%1" },
      {
        do: "view",
        name: "%2",
        of: "w",
        how: { kind: "slice", starts: [0, 0], sizes: [1, 3], steps: [1, 1] },
      },
      broadcast("%3", "x", 1, 3),
      { do: "write", to: "%2", from: "%3" },
      { do: "update", to: "w", op: "maximum", from: "w" },
      { do: "let", name: "%4", op: "constant", attributes: { name: "c" }, operands: [] },
      broadcast("%5", "%4", 2, 3),
      { do: "update", to: "w", op: "divide", from: "%5" },
      full("%6", 2, 3),
      applied("%7", "multiply", "%6", "x"),
      { do: "rebind", name: "x", to: "%7" },
      broadcast("%8", "q", 3),
      { do: "rebind", name: "x", to: "%8" },
    ]);
  });

  test("of rows, masks and places that are computed", () => {
    const place = ["n = floor(q)", "k = index(n)"];
    expect(lines(...place, "w.rows(k, 0) += 1", "w.rows(1) <- x", "w[k].rows(0) *= w[0]")).toEqual([
      applied("n", "floor", "q"),
      { do: "index", name: "k", of: "n" },
      full("%1", 1, 2, 3),
      { do: "write_rows", to: "w", rows: ["k", 0], op: "add", from: "%1" },
      broadcast("%2", "x", 1, 3),
      { do: "write_rows", to: "w", rows: [1], from: "%2" },
      {
        do: "view",
        name: "%3",
        of: "w",
        how: { kind: "slice", starts: ["k", 0], sizes: [1, 3], steps: [1, 1] },
      },
      {
        do: "view",
        name: "%4",
        of: "w",
        how: { kind: "slice", starts: [0, 0], sizes: [1, 3], steps: [1, 1] },
      },
      { do: "write_rows", to: "%3", rows: [0], op: "multiply", from: "%4" },
    ]);
    expect(lines("m = w > 0", "w.where(m) <- 0", "w.where(m) *= x")).toEqual([
      full("%1", 0, 2, 3),
      applied("m", "greater", "w", "%1"),
      full("%2", 0),
      { do: "write_where", to: "w", mask: "m", from: "%2" },
      broadcast("%3", "x", 2, 3),
      { do: "write_where", to: "w", mask: "m", op: "multiply", from: "%3" },
    ]);
    expect(lines("m = w > 0", "w.scatter(m) <- x", "w.scatter(m) += x").slice(2)).toEqual([
      { do: "write_scatter", to: "w", mask: "m", from: "x" },
      { do: "write_scatter", to: "w", mask: "m", op: "add", from: "x" },
    ]);
  });

  test("of blocks; a condition that is computed is computed again in each turn", () => {
    expect(
      lines("if q > 0:", "  checkpoint:", "    y = exp(q)", "else:", "  no_grad:", "    w <- 0"),
    ).toMatchObject([
      full("%1", 0),
      applied("%2", "greater", "q", "%1"),
      {
        do: "if",
        condition: "%2",
        body: [{ do: "checkpoint", body: [applied("y", "exp", "q")] }],
        otherwise: [{ do: "no_grad", body: [full("%3", 0, 2, 3), { do: "write", to: "w", from: "%3" }] }],
      },
    ]);
    expect(lines("while q < 1, at most 4:", "  q := q + 1")).toMatchObject([
      full("%1", 1),
      applied("%2", "less", "q", "%1"),
      {
        do: "while",
        condition: "%2",
        fuel: 4,
        body: [
          full("%3", 1),
          applied("%4", "add", "q", "%3"),
          { do: "rebind", name: "q", to: "%4" },
          full("%5", 1),
          applied("%6", "less", "q", "%5"),
          { do: "rebind", name: "%2", to: "%6" },
        ],
      },
    ]);
  });

  test("of what leaves a loop or a procedure; a condition is not computed again behind a break", () => {
    const text = `program f(q)
  while q < 1, at most 4:
    q := q + 1
    break
  if q:
    return 2, q
  return q, q
`;
    expect(statementsIn(text)).toMatchObject([
      full("%1", 1),
      applied("%2", "less", "q", "%1"),
      {
        do: "while",
        body: [full("%3", 1), applied("%4", "add", "q", "%3"), { do: "rebind" }, { do: "break" }],
      },
      { do: "if", condition: "q", body: [full("%5", 2), { do: "return", operands: ["%5", "q"] }] },
    ]);
  });

  test("of what is drawn, received, sent, kept and released", () => {
    expect(
      lines(
        "u = draw(uniform, shape=[3], key=[0, 7])",
        "b: [2] = draw(bernoulli, rate=0.25)",
        'r = receive("in", shape=[2])',
        'send("out", r + b)',
        "d = detach(w)",
        "s: [4] = buffer(0)",
        "retain u, r",
        "release s",
        "t = take(x, axis=0, indices=i)",
      ),
    ).toMatchObject([
      { do: "draw", name: "u", from: { kind: "uniform" }, shape: [3], key: [0, 7] },
      { do: "draw", name: "b", from: { kind: "bernoulli", rate: 0.25 }, shape: [2] },
      { do: "receive", name: "r", channel: "in", shape: [2] },
      applied("%1", "add", "r", "b"),
      { do: "send", channel: "out", from: "%1" },
      { do: "detach", name: "d", of: "w" },
      full("%2", 0, 4),
      { do: "buffer", name: "s", from: "%2" },
      { do: "retain", of: "u" },
      { do: "retain", of: "r" },
      { do: "release", of: "s" },
      { do: "let", name: "t", op: "take", attributes: { axis: 0, indices: "i" } },
    ]);
  });

  test("of calls and derivatives, of a procedure or of a graph in the line", () => {
    const text = [
      "program f",
      "  state s",
      "  procedure main(x: [3])",
      "    a, b = call both(x, 2)",
      "    d = vjp call both(x, 2) of a by k along 1",
      "    e = jvp call both(x, a * call last(x)) of 1 by 0 along x",
      "    g = derivative call last(x)",
      "    h = vjp (u: [3]) => { v = u * u; sum(v) } by u at x along 1",
      "    p, q = call both(x, 2) by both",
      "    t = call last(x * 2) by last",
      "    r = hook(x) by same",
      "  procedure both(x: [3], k)",
      "    a = sum(x) * k",
      "    return a, x * k",
      "  procedure last(x: [3])",
      "    return sum(x): []",
      "  procedure same(x: [3])",
      "    return x: [3]",
    ];
    expect(statementsIn(text.join("\n"))).toMatchObject([
      full("%5", 2),
      { do: "call", names: ["a", "b"], procedure: "both", operands: ["x", "%5"] },
      full("%6", 2),
      full("%7", 1),
      { do: "differentiate", name: "d", mode: "vjp", of: 0, wrt: 1, operands: ["x", "%6", "%7"] },
      { do: "call", names: ["%8"], procedure: "last", operands: ["x"] },
      applied("%9", "multiply", "a", "%8"),
      { do: "differentiate", name: "e", mode: "jvp", of: 1, wrt: 0, operands: ["x", "%9", "x"] },
      full("%10", 1, 3),
      { do: "differentiate", name: "g", mode: "jvp", of: 0, wrt: 0, operands: ["x", "%10"] },
      full("%11", 1),
      { do: "let", name: "h", op: "differentiate", operands: ["x", "%11"] },
      full("%12", 2),
      { do: "custom", names: ["p", "q"], procedure: "both", derivative: "both", operands: ["x", "%12"] },
      full("%13", 2, 3),
      applied("%14", "multiply", "x", "%13"),
      { do: "custom", names: ["t"], procedure: "last", derivative: "last", operands: ["%14"] },
      { do: "hook", name: "r", of: "x", derivative: "same" },
    ]);
  });

  test("and clauses a session: where it begins, what comes from the world, and what each call leaves", () => {
    const text = `program running(x) given (x)
  state total
  total += x * receive("rate")
  return total
generator key 7, 11 drawn 2
at x = 2, total = 1
at given x = 5
receives "rate" = 3
seed total = 1
expect result 0 = 7
expect state total = 7
expect cotangent x = 3, total = 1
again
at x = 4
receives "rate" = 0.5, "rate" = 9
expect result total = 9
expect state total = 9
expect drawn 2
`;
    expect(documentIn(text)).toMatchObject({
      format: "adjudge.program-vector.v1",
      name: "running",
      case: {
        parameters: [{ shape: [], data: [2] }],
        state: [{ shape: [], data: [1] }],
        environment: { x: { shape: [], data: [5] } },
        generator: { key: [7, 11], drawn: 2 },
        received: { rate: [{ shape: [], data: [3] }] },
        seeds: [{ id: 0, cotangent: { shape: [], data: [1] } }],
      },
      calls: [{ received: { rate: [{ data: ["0.5"] }, { data: [9] }] }, seeds: [] }],
      expected: [
        { kind: "left", drawn: 2, cotangents: [{ data: [3] }, { data: [1] }] },
        { kind: "left", drawn: 2, cotangents: [] },
      ],
    });
    const [asked] = [readText(text.replaceAll(/^expect.*\n/gm, ""))];
    expect(asked.ok && asked.value[0]?.json.format).toBe("adjudge.program-case.v1");
    expect(asked.ok && asked.value[0]?.calls?.length).toBe(1);
  });
});

test("A wrong program has the parameters and locations of the right one, and mistakes of its own", () => {
  const text = `program f(x: [2])
  state w: [2]
  w += x
  return w
wrong forgotten
  return w
wrong halved sweep
  procedure main(x: [2])
    w += call half(x)
    return w
  procedure half(x: [2])
    return x / 2
`;
  const read = readText(text);
  const wrong = read.ok ? read.value[0]?.wrong : undefined;
  expect(wrong?.get("forgotten")).toMatchObject({
    part: "all",
    program: { state: [{ name: "w" }], procedures: [{ parameters: [{ name: "x" }], body: [] }] },
  });
  expect(wrong?.get("halved")?.part).toBe("sweep");
  expect(wrong?.get("halved")?.program.procedures.length).toBe(2);
  const changed = readText(text.replace("half(x)\n    return", "half(z)\n    return"));
  expect(changed.ok ? [] : changed.error.map(({ place }) => place.start)).toEqual([
    text.indexOf("x)\n    return w"),
  ]);
});

describe("A mistake is told where it stands", () => {
  /** A program with a mistake, the code, what is marked, and what the message and the hint say. */
  const mistakes: readonly (readonly [line: string, code: string, marked: string, said: RegExp])[] = [
    ["y = x * z0", "text/name", "z0", /no name "z0"/],
    ["y = sine(x)", "text/operator", "sine", /did you mean "sin"/],
    ["y = x + w[0, 0:2]", "shape/broadcast", "x + w[0, 0:2]", /do not broadcast/],
    ["y = call half(x)", "text/procedure", "half", /there is no procedure "half"/],
    ["v = w[0, 0:9]", "program/index", "w[0, 0:9]", /extent is 3/],
    ["v = w[0, 3:1]", "text/slice", "1", /write start:end/],
    ["v = w[0.5]", "text/index", "0.5", /whole number/],
    ["v = w.transpose()", "text/view", "transpose", /permute, diagonal/],
    ["v = w.unfold(1, 2)", "text/view", "w.unfold(1, 2)", /an axis, a size and a step/],
    ["v = w.strided(0, [2])", "text/view", "w.strided(0, [2])", /a start, a shape and strides/],
    ["v = w.diagonal(1, 0)", "text/view", "w.diagonal(1, 0)", /an offset and two axes/],
    ["v = w.rows(0)", "text/view", "w.rows(0)", /is written, and not seen/],
    ["w.rows(0.5) <- 1", "text/index", "w.rows(0.5)", /places along the first axis/],
    ["w.where(w, w) += 1", "text/write", "w.where(w, w)", /takes a mask/],
    ["v = w[0:1:-1]", "text/slice", "1", /no slice/],
    ["v = w.reshape([5])", "shape/reshape", "w.reshape([5])", /different numbers of elements/],
    ["x += 1", "program/kind", "x", /make a location of a value with buffer/],
    ["w.permute(1, 0) := x", "text/rebind", "w.permute(1, 0)", /a name alone/],
    ["y := x", "text/rebind", "y", /write = where/],
    ["w[0] = x", "text/syntax", "=", /<- writes what a location holds/],
    ["for k in range(2):", "text/syntax", "range", /expected a numeral/],
    ["if w:", "program/shape", "w", /shape/],
    ["while q:", "text/while", "while", /at most/],
    ["for k in 2.5:", "text/for", "k", /whole number/],
    ["break", "program/leave", "break", /no loop stands around/],
    ["break 2", "text/statement", "2", /write break alone/],
    ["return q\n    y = q", "text/statement", "return", /behind the procedure's return/],
    ["else:", "text/else", "else", /no if stands before/],
    ["u = draw(normal, shape=[3])", "text/draw", "normal", /uniform/],
    ["u = draw(uniform, rate=0.5)", "text/attribute", "rate", /no attribute of draw "rate"/],
    ["q = 1", "program/name-twice", "q", /"q" is taken/],
    ["x * 2", "text/statement", "x * 2", /give it a name/],
    ["y: [4] = x", "text/shape", "y: [4] = x", /has the shape \[3\]/],
    ["retain w", "program/kind", "w", /a value is wanted/],
    ["y = matmul(x)", "text/operands", "matmul(x)", /takes/],
    ["y = vjp call g(x) by 7 along 1", "text/name", "7", /no parameter "7"/],
    ["y = vjp call g(x)", "text/along", "vjp", /direction/],
    [
      "y = 2 * call g(x) vjp of 0 by v along x",
      "text/results",
      "call g(x) vjp of 0 by v along x",
      /line of its own/,
    ],
    ["y, d = call g(x) vjp of 1 by v along x", "program/place", "1", /references are meant/],
    ["y, d = call g(x) vjp of 0 by w along x", "text/name", "w", /there are v/],
    ["y, d = call g(x) vjp of 0 by v along q", "program/shape", "q", /\[3\] is wanted/],
    [
      "y = call g(x) vjp of 0 by v along x",
      "program/arity",
      "y = call g(x) vjp of 0 by v along x",
      /derivative/,
    ],
    ["y, d = call g(x) derivative of 0 by v along x", "text/along", "derivative", /vjp or jvp/],
    ["y = call g(x, x)", "program/arity", "call g(x, x)", /2 operands/],
    ["seed y = 1", "text/statement", "seed", /behind it, without indentation/],
  ];

  test.each(mistakes)("%s", (line, code, marked, said) => {
    const program = `program f\n  state w: [2, 3]\n  procedure main(x: [3], q)\n    ${line}\n`;
    const text = `${program}  procedure g(v: [3])\n    return v\n`;
    const read = readText(text);
    const [fault, second] = read.ok ? [] : read.error;
    expect(fault?.code).toBe(code);
    expect(text.slice(fault?.place.start, fault?.place.end)).toBe(marked);
    expect(`${fault?.message} ${fault?.hint}`).toMatch(said);
    expect(second).toBe(undefined);
    expect(text.slice(0, fault?.place.start).split("\n").length).toBe(4);
  });

  test("and so are several, of clauses too", () => {
    const text = `program f(x)
  state w
  w += y
  return v
at x = [1, 2], u = 3
seed 1 = 2
expect result w = 1
expect cotangnt x = 1
refuse perhaps
`;
    const read = readText(text);
    const found = read.ok ? [] : read.error.map(({ place }) => text.slice(place.start, place.end));
    expect(found).toEqual(["y", "v", "u", "1", "w", "cotangnt"]);
  });

  test.each([
    ["refuse never", "refuse perhaps", "perhaps"],
    ["defects D01", "defects e1", "e1"],
    ["program lower", "program Upper", "Upper"],
    ["drawn 0", "drawn -1", "program"],
    ["x = [1, 2]", "x = [1, 2, 3]", "[1, 2, 3]"],
    ["result y = 1", "result y = [1, 2]", "[1, 2]"],
    ["cotangent x = 1", "cotangent y = 1", "y"],
    ["clause 10.2", "clause ten", "ten"],
    ["state w", "state w: [1, 134217729]", "w"],
    ["return y: []", "return y: [2]", "y"],
  ])("of a document: %s as %s", (right, wrong, marked) => {
    const text = `program lower(x: [2])
  state w
  y = sum(x)
  return y: []
clause 10.2
refuse never
defects D01
at x = [1, 2], w = 0
seed y = 1
expect result y = 1
expect state w = 0
expect cotangent x = 1, w = 0
expect drawn 0
`;
    expect(readText(text).ok).toBe(true);
    const changed = text.replace(right, wrong);
    const read = readText(changed);
    const found = read.ok ? [] : read.error.map(({ place }) => changed.slice(place.start, place.end));
    expect(found[0]).toBe(marked);
  });
});
