import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { damage, edits } from "../../mutate.test.data.ts";
import type { Program, Statement } from "../../programs/program.ts";
import { everyStatement, missingKinds } from "../../programs/specimens.test.data.ts";
import type { Json } from "../../specimens.test.data.ts";
import { checkProgram, checkProgramText } from "./check.ts";
import { MAXIMUM_BLOCKS } from "./check_statement.ts";

/** Returns a program of these statements, with an input `x` of shape [2] and a location `s` [2, 3]. */
function withBody(...body: readonly unknown[]): unknown {
  const parameters = [{ name: "x", kind: "value", shape: [2] }];
  return {
    format: "adjudge.program.v1",
    state: [{ name: "s", shape: [2, 3] }],
    environment: [],
    procedures: [
      { name: "main", parameters, body, results: [] },
      {
        name: "f",
        parameters: [{ name: "v", kind: "reference", shape: [2, 3] }],
        body: [],
        results: [{ name: "v", shape: [2, 3] }],
      },
      {
        name: "g",
        parameters: [{ name: "v", kind: "value", shape: [2, 3] }],
        body: [{ do: "draw", name: "u", from: { kind: "uniform" }, shape: [2, 3] }],
        results: [{ name: "u", shape: [2, 3] }],
      },
    ],
  };
}

/** Returns code and pointer of the first issue. */
function firstIssue(program: unknown): string {
  const checked = checkProgram(program);
  if (checked.ok) return "none";
  const [issue] = checked.error;
  expect(issue?.message).toMatch(/\.$/);
  expect(issue?.hint).toBeTruthy();
  return `${issue?.code} ${issue?.pointer}`;
}

function letOf(name: string, op: string, ...operands: readonly string[]): unknown {
  return { do: "let", name, op, attributes: {}, operands };
}

/** Nests blocks within blocks. */
function nested(depth: number): unknown {
  let body: unknown[] = [];
  for (let i = 0; i < depth; i++) body = [{ do: "no_grad", body }];
  return body[0];
}

const place = "/procedures/0/body/0";

/** Returns a block of one statement. */
function inBlock(statement: unknown): unknown {
  return { do: "no_grad", body: [statement] };
}

describe("checkProgram", () => {
  test("accepts a program with every kind of statement, as fresh data that comes back equal", () => {
    expect(missingKinds).toEqual([]);
    const checked = checkProgram(everyStatement);
    expect(checked).toEqual({ ok: true, value: everyStatement });
    if (checked.ok) {
      expect(checked.value).not.toBe(everyStatement);
      expect(checkProgram(checked.value)).toEqual(checked);
    }
  });

  test.each([
    [
      "an operator that there is not",
      [letOf("y", "multiplyy", "x", "x")],
      "graph/operator /procedures/0/body/0/op",
    ],
    ["too few operands", [letOf("y", "multiply", "x")], `graph/arity ${place}/operands`],
    ["operands that do not fit", [letOf("y", "multiply", "x", "s")], `shape/mismatch ${place}`],
    [
      "attributes too many",
      [{ ...Object(letOf("y", "exp", "x")), attributes: { axis: 1 } }],
      `schema/additionalProperties ${place}/attributes/axis`,
    ],
    ["a name that is not bound", [letOf("y", "exp", "z")], `program/name ${place}/operands/0`],
    [
      "a name that its block ended",
      [{ do: "no_grad", body: [letOf("y", "exp", "x")] }, letOf("z", "exp", "y")],
      "program/name /procedures/0/body/1/operands/0",
    ],
    ["a name that is taken", [letOf("x", "exp", "x")], `program/name-twice ${place}/name`],
    ["a name that nobody sees", [letOf("a\u202Eb", "exp", "x")], `program/name ${place}/name`],
    ["a statement that there is not", [{ do: "goto", name: "x" }], `schema/enum ${place}/do`],
    ["a write to a value", [{ do: "write", to: "x", from: "x" }], `program/kind ${place}/to`],
    ["a write of another shape", [{ do: "write", to: "s", from: "x" }], `program/shape ${place}/from`],
    [
      "a rebinding to another shape",
      [
        letOf("y", "exp", "x"),
        { do: "buffer", name: "b", from: "s" },
        letOf("z", "exp", "s"),
        { do: "rebind", name: "y", to: "z" },
      ],
      "program/shape /procedures/0/body/3/to",
    ],
    [
      "a rebinding of a value to a location",
      [letOf("y", "exp", "x"), { do: "buffer", name: "b", from: "x" }, { do: "rebind", name: "y", to: "b" }],
      "program/kind /procedures/0/body/2/name",
    ],
    [
      "a condition of many elements",
      [{ do: "if", condition: "x", body: [], otherwise: [] }],
      `program/shape ${place}/condition`,
    ],
    [
      "a slice beyond its axis",
      [
        {
          do: "view",
          name: "v",
          of: "s",
          how: { kind: "slice", starts: [0, 2], sizes: [1, 2], steps: [1, 1] },
        },
      ],
      `program/index ${place}/how`,
    ],
    [
      "a counter that runs beyond its axis",
      [
        {
          do: "for",
          counter: "i",
          times: 3,
          body: [
            {
              do: "view",
              name: "v",
              of: "s",
              how: { kind: "slice", starts: ["i", 0], sizes: [1, 1], steps: [1, 1] },
            },
          ],
        },
      ],
      "program/index /procedures/0/body/0/body/0/how",
    ],
    [
      "a step of 0",
      [
        {
          do: "view",
          name: "v",
          of: "s",
          how: { kind: "slice", starts: [0, 0], sizes: [1, 1], steps: [0, 1] },
        },
      ],
      `shape/step ${place}/how`,
    ],
    [
      "a write through what was broadcast",
      [
        { do: "view", name: "v", of: "s", how: { kind: "broadcast", shape: [2, 2, 3] } },
        letOf("y", "exp", "v"),
        { do: "write", to: "v", from: "y" },
      ],
      "program/write /procedures/0/body/2/to",
    ],
    [
      "a write through windows that overlap",
      [
        { do: "view", name: "v", of: "s", how: { kind: "unfold", axis: 1, size: 2, step: 1 } },
        letOf("y", "exp", "v"),
        { do: "write", to: "v", from: "y" },
      ],
      "program/write /procedures/0/body/2/to",
    ],
    [
      "rows beyond the first axis",
      [{ do: "write_rows", to: "s", rows: [0, 2], from: "s" }],
      `program/index ${place}/rows/1`,
    ],
    [
      "rows of another shape than what is written",
      [{ do: "write_rows", to: "s", rows: [0], op: "add", from: "s" }],
      `program/shape ${place}/from`,
    ],
    [
      "a mask of another shape",
      [
        letOf("y", "exp", "s"),
        { do: "view", name: "v", of: "s", how: { kind: "reshape", shape: [6] } },
        { do: "write_where", to: "v", mask: "y", from: "v" },
      ],
      "program/shape /procedures/0/body/2/mask",
    ],
    [
      "a mask of another shape over a row",
      [
        letOf("y", "exp", "s"),
        { do: "view", name: "v", of: "s", how: { kind: "reshape", shape: [6] } },
        { do: "write_scatter", to: "v", mask: "y", from: "v" },
      ],
      "program/shape /procedures/0/body/2/mask",
    ],
    [
      "elements that are no row",
      [letOf("y", "exp", "s"), { do: "write_scatter", to: "s", mask: "y", from: "y" }],
      "program/shape /procedures/0/body/1/from",
    ],
    ["an index that is no scalar", [{ do: "index", name: "k", of: "s" }], `program/shape ${place}/of`],
    [
      "a value where a place is wanted",
      [letOf("y", "exp", "s"), { do: "write_rows", to: "s", rows: ["y", 0], from: "s" }],
      "program/kind /procedures/0/body/1/rows/0",
    ],
    [
      "a window longer than its axis",
      [{ do: "view", name: "v", of: "s", how: { kind: "unfold", axis: 0, size: 3, step: 1 } }],
      `shape/window ${place}/how`,
    ],
    [
      "strides that leave the reference",
      [
        { do: "view", name: "row", of: "s", how: { kind: "reshape", shape: [6] } },
        {
          do: "view",
          name: "v",
          of: "row",
          how: { kind: "strided", start: 2, shape: [3], strides: [-2] },
        },
      ],
      "program/index /procedures/0/body/1/how",
    ],
    [
      "strides over a matrix",
      [{ do: "view", name: "v", of: "s", how: { kind: "strided", start: 0, shape: [], strides: [] } }],
      `shape/axes ${place}/how`,
    ],
    [
      "a counter from which strides leave the reference",
      [
        { do: "view", name: "row", of: "s", how: { kind: "reshape", shape: [6] } },
        {
          do: "for",
          counter: "i",
          times: 3,
          body: [
            {
              do: "view",
              name: "v",
              of: "row",
              how: { kind: "strided", start: "i", shape: [2], strides: [-1] },
            },
          ],
        },
      ],
      "program/index /procedures/0/body/1/body/0/how",
    ],
    [
      "a diagonal's offset without its axes",
      [{ do: "view", name: "v", of: "s", how: { kind: "diagonal", offset: 1 } }],
      `schema/dependentRequired ${place}/how`,
    ],
    [
      "a value where a location is wanted",
      [{ do: "call", names: ["r"], procedure: "f", operands: ["x"] }],
      `program/kind ${place}/operands/0`,
    ],
    [
      "too few names for the results",
      [{ do: "call", names: [], procedure: "f", operands: ["s"] }],
      `program/arity ${place}/names`,
    ],
    [
      "a procedure that there is not",
      [{ do: "call", names: [], procedure: "h", operands: [] }],
      `program/procedure ${place}/procedure`,
    ],
    [
      "a derivative of what shares memory",
      [{ do: "differentiate", name: "d", procedure: "f", mode: "vjp", of: 0, wrt: 0, operands: ["s", "s"] }],
      `program/kind ${place}/procedure`,
    ],
    [
      "a shape beyond the limit",
      [{ do: "draw", name: "u", from: { kind: "uniform" }, shape: [2 ** 14, 2 ** 14] }],
      `shape/too-large ${place}/shape`,
    ],
    [
      "a loop of too many turns",
      [{ do: "for", counter: "i", times: 2 ** 21, body: [] }],
      `schema/maximum ${place}/times`,
    ],
    [
      "a derivative with other results",
      [{ do: "custom", names: [], procedure: "f", derivative: "f", operands: ["s"] }],
      `program/kind ${place}/derivative`,
    ],
    [
      "a hook whose procedure is of another shape",
      [{ do: "hook", name: "h", of: "x", derivative: "g" }],
      `program/shape ${place}/derivative`,
    ],
    [
      "a derivative that draws",
      [{ do: "hook", name: "h", of: "s", derivative: "g" }],
      `program/derivative ${place}/derivative`,
    ],
    ["a break outside of loops", [inBlock({ do: "break" })], `program/leave ${place}/body/0`],
    [
      "a statement behind a break",
      [{ do: "for", counter: "i", times: 2, body: [{ do: "break" }, letOf("y", "exp", "x")] }],
      `program/leave ${place}/body/0`,
    ],
    ["a return outside of blocks", [{ do: "return", operands: [] }], `program/leave ${place}`],
    [
      "a return of more than the results",
      [inBlock({ do: "return", operands: ["x"] })],
      `program/arity ${place}/body/0/operands`,
    ],
    [
      "blocks within too many others",
      [nested(MAXIMUM_BLOCKS + 1)],
      `program/nesting ${place}${"/body/0".repeat(MAXIMUM_BLOCKS)}/body`,
    ],
  ])("refuses %s, with its place", (_, body, issue) => {
    expect(firstIssue(withBody(...body))).toBe(issue);
  });

  const view = (name: string, of: string, how: object): unknown => ({ do: "view", name, of, how });
  const turned = view("v", "s", { kind: "permute", axes: [1, 0] });

  test.each([
    ["a copy", [turned, view("w", "v", { kind: "reshape", shape: [6] })], "program/copy /aliases/1/how"],
    ["what there is not", [view("v", "t", { kind: "permute", axes: [1, 0] })], "program/name /aliases/0/of"],
    ["itself", [view("s", "s", { kind: "permute", axes: [1, 0] })], "program/name-twice /aliases/0/name"],
    [
      "more than the location",
      [view("v", "s", { kind: "reshape", shape: [7] })],
      "shape/reshape /aliases/0/how",
    ],
    [
      "a place that a counter says",
      [view("v", "s", { kind: "slice", starts: ["k", 0], sizes: [1, 3], steps: [1, 1] })],
      "program/name /aliases/0/how/starts/0",
    ],
    ["no view", [letOf("v", "exp", "s")], "schema/required /aliases/0"],
    [
      "a parameter too",
      [view("x", "s", { kind: "permute", axes: [1, 0] })],
      "program/name-twice /procedures/0/parameters/0/name",
    ],
  ])("refuses another name of a location that is %s, with its place", (_, aliases, issue) => {
    expect(firstIssue({ ...Object(withBody()), aliases })).toBe(issue);
  });

  test("takes another name of a location that is a view, and writes through it", () => {
    const write = { do: "write", to: "v", from: "v" };
    expect(firstIssue({ ...Object(withBody(write)), aliases: [turned] })).toBe("none");
    expect(firstIssue(withBody(write))).not.toBe("none");
  });

  test("refuses an entry that asks for a location, and two procedures of one name", () => {
    const [main, double] = everyStatement.procedures;
    expect(firstIssue({ ...everyStatement, procedures: [double, main] })).toBe(
      "program/entry /procedures/0/parameters/0/kind",
    );
    expect(firstIssue({ ...everyStatement, procedures: [...everyStatement.procedures, double] })).toBe(
      "program/name-twice /procedures/4/name",
    );
  });

  test("refuses a call and a derivative of an entry that knows persistent locations, and of no other entry", () => {
    const given = [{ name: "x", kind: "value", shape: [] }];
    const results = [{ name: "x", shape: [] }];
    const calling = (statement: unknown, state: readonly unknown[]) => ({
      format: "adjudge.program.v1",
      state,
      environment: [],
      procedures: [{ name: "main", parameters: given, body: [statement], results }],
    });
    const call = { do: "call", names: ["y"], procedure: "main", operands: ["x"] };
    const asked = { procedure: "main", mode: "jvp", of: 0, wrt: 0, operands: ["x", "x"] };
    const derivative = { do: "differentiate", name: "y", ...asked };
    for (const statement of [call, derivative]) {
      expect(firstIssue(calling(statement, [{ name: "s", shape: [] }]))).toBe(
        `program/entry ${place}/procedure`,
      );
      expect(checkProgram(calling(statement, [])).ok).toBe(true);
    }
  });

  test("refuses a call with derivatives of what is nothing, or with directions that do not fit", () => {
    const step = {
      name: "step",
      parameters: [
        { name: "w", kind: "reference", shape: [2] },
        { name: "g", kind: "donated", shape: [2] },
        { name: "u", kind: "value", shape: [] },
      ],
      body: [{ do: "update", to: "w", op: "add", from: "w" }],
      results: [{ name: "u", shape: [] }],
    };
    const right = {
      do: "differentiate_call",
      names: ["y"],
      derivatives: ["gw", "gu"],
      procedure: "step",
      mode: "vjp",
      of: [0, 1],
      wrt: [0, 2],
      operands: ["b", "c", "s"],
      along: ["s", "x"],
    };
    const asked = (change: object): unknown => ({
      format: "adjudge.program.v1",
      state: [],
      environment: [],
      procedures: [
        {
          name: "main",
          parameters: [
            { name: "x", kind: "value", shape: [2] },
            { name: "s", kind: "value", shape: [] },
          ],
          body: [
            { do: "buffer", name: "b", from: "x" },
            { do: "buffer", name: "c", from: "x" },
            { ...right, ...change },
          ],
          results: [],
        },
        step,
      ],
    });
    const at = "/procedures/0/body/2";
    expect(firstIssue(asked({}))).toBe("none");
    expect(firstIssue(asked({ mode: "jvp", along: ["x", "s"], derivatives: ["tu", "tw"] }))).toBe("none");
    // A location that was given away is nobody's, and so is a value that the call was given.
    expect(firstIssue(asked({ of: [0, 2] }))).toBe(`program/place ${at}/of/1`);
    expect(firstIssue(asked({ of: [0, 3] }))).toBe(`program/place ${at}/of/1`);
    expect(firstIssue(asked({ of: [0, 4] }))).toBe(`program/place ${at}/of/1`);
    expect(firstIssue(asked({ wrt: [3, 2] }))).toBe(`program/place ${at}/wrt/0`);
    expect(firstIssue(asked({ wrt: [2, 2], derivatives: ["a", "b"] }))).toBe(`program/place ${at}/wrt/1`);
    expect(firstIssue(asked({ wrt: [], derivatives: [] }))).toBe(`program/place ${at}/wrt`);
    expect(firstIssue(asked({ along: ["s"] }))).toBe(`program/arity ${at}/along`);
    expect(firstIssue(asked({ along: ["x", "x"] }))).toBe(`program/shape ${at}/along/0`);
    expect(firstIssue(asked({ derivatives: ["gw"] }))).toBe(`program/arity ${at}/derivatives`);
    expect(firstIssue(asked({ derivatives: ["gw", "y"] }))).toBe(`program/name-twice ${at}/derivatives/1`);
    expect(firstIssue(asked({ operands: ["x", "c", "s"] }))).toBe(`program/kind ${at}/operands/0`);
    expect(firstIssue(asked({ along: ["s", "y"] }))).toBe(`program/name ${at}/along/1`);
  });

  test("lists what is wrong in all places, and an issue once", () => {
    const checked = checkProgram(
      withBody(letOf("y", "exp", "z"), letOf("w", "exp", "y"), letOf("v", "sin", "q")),
    );
    expect(checked.ok ? [] : checked.error.map(({ pointer }) => pointer)).toEqual([
      "/procedures/0/body/0/operands/0",
      "/procedures/0/body/2/operands/0",
    ]);
  });

  test("takes 20,000 statements, and refuses more than the limit", () => {
    const many = (count: number): Program => {
      const body = Array.from({ length: count }, (): Statement => ({ do: "send", channel: "c", from: "x" }));
      const main = {
        name: "main",
        parameters: [{ name: "x", kind: "value" as const, shape: [] }],
        body,
        results: [],
      };
      return { format: "adjudge.program.v1", state: [], environment: [], procedures: [main] };
    };
    expect(checkProgram(many(20_000)).ok).toBe(true);
    expect(firstIssue(many(2 ** 16 + 1))).toBe("program/too-long /procedures/0/body/65536");
  });

  test("survives damaged programs: an issue or a program, never an exception", () => {
    const document: Json = JSON.parse(JSON.stringify(everyStatement));
    const outcomes = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(edits, (list) => {
        const checked = checkProgram(damage(document, list));
        outcomes[checked.ok ? "accepted" : "refused"]++;
        if (!checked.ok) expect(checked.error.length).toBeGreaterThan(0);
      }),
      { seed: 17, numRuns: 500 },
    );
    expect(outcomes.refused).toBeGreaterThan(300);
  });

  test("reads text, and says where it is no JSON", () => {
    expect(checkProgramText(JSON.stringify(everyStatement)).ok).toBe(true);
    const broken = checkProgramText('{"format": ');
    expect(broken.ok ? "" : broken.error[0]?.code).toBe("json/syntax");
  });

  test("names the statement that was meant", () => {
    const checked = checkProgram(withBody({ do: "bufer", name: "b", from: "x" }));
    expect(checked.ok || checked.error[0]).toMatchObject({ hint: 'did you mean "buffer"?' });
  });
});
