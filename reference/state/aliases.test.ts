import { describe, expect, test } from "vitest";
import { type Program, program, statementsIn } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { zeros } from "../tensor.ts";
import { sightingsIn } from "./aliases.test.kit.ts";
import { type Aliasing, aliasesOf, type Binder, sharingOf } from "./aliases.ts";
import type { Start } from "./execute.ts";

const start: Start<number> = {
  parameters: [{ shape: [2], data: [3, 4] }],
  state: [],
  environment: new Map(),
  generator: { key: [1, 2], drawn: 0 },
  world: new Map(),
};

const BINDING: ReadonlySet<string> = new Set(["buffer", "view", "detach"]);

/** Returns the binders of the references of a program, in the order of the text. */
function bindersOf({ state, procedures }: Program): Binder[] {
  const statements = procedures.flatMap(({ parameters, body }) => [
    ...parameters.filter(({ kind }) => kind !== "value"),
    ...statementsIn(body).filter((statement) => BINDING.has(statement.do)),
  ]);
  return [...state, ...statements];
}

/** Finds pairs with a wrong static answer: they shared memory that they cannot, or not what they must. */
function violations(
  given: Program,
  answer: (a: Binder, b: Binder) => Aliasing = aliasesOf(given),
): { readonly pairs: number; readonly wrong: readonly string[] } {
  const state = given.state.map(({ shape }) => zeros(float64.additive, shape));
  const sightings = sightingsIn(given, { ...start, state });
  const wrong: string[] = [];
  let pairs = 0;
  for (const [i, a] of sightings.entries()) {
    for (const b of sightings.slice(i + 1)) {
      if (a.binder === b.binder) continue;
      pairs++;
      const [said, isShared] = [answer(a.binder, b.binder), a.memory === b.memory];
      if (said === (isShared ? "cannot" : "must")) wrong.push(`${said} ${isShared}`);
    }
  }
  return { pairs, wrong };
}

const simple = program(({ input, buffer }) => {
  const x = input("x", [2]);
  const [a, b] = [buffer(x), buffer(x)];
  const slice = { kind: "slice", starts: [0], sizes: [1], steps: [1] } as const;
  return [a.view(slice), b.view(slice)];
});

const called = program(({ input, buffer, procedure, call, for_ }) => {
  const touch = procedure("touch", [{ name: "v", kind: "reference", shape: [2] }], (v) => {
    if ("isReference" in v) v.update("add", 1);
    return [];
  });
  const x = input("x", [2]);
  const [a, b] = [buffer(x), buffer(x)];
  call(touch, a);
  for_(2, () => {
    const fresh = buffer(x);
    call(touch, fresh);
  });
  return [a, b];
});

/** A reference that is detached keeps its location, and a value that is detached has none. */
const detached: Program = {
  format: "adjudge.program.v1",
  state: [],
  environment: [],
  procedures: [
    {
      name: "main",
      parameters: [{ name: "x", kind: "value", shape: [2] }],
      body: [
        { do: "buffer", name: "a", from: "x" },
        { do: "buffer", name: "b", from: "x" },
        { do: "detach", name: "quiet", of: "a" },
        { do: "view", name: "part", of: "quiet", how: { kind: "broadcast", shape: [2, 2] } },
        { do: "detach", name: "still", of: "x" },
      ],
      results: [{ name: "still", shape: [2] }],
    },
  ],
};

const copied = program(({ input, buffer }) => {
  const x = input("x", [2]);
  const a = buffer(x);
  const wide = a.view({ kind: "broadcast", shape: [2, 2] });
  const turned = wide.view({ kind: "permute", axes: [1, 0] });
  return [turned.view({ kind: "reshape", shape: [4] }), a.view({ kind: "reshape", shape: [2, 1] })];
});

/** Some views, and a name that comes to stand for one, are reshaped: to one element, and to others. */
const reshaped: Program = {
  format: "adjudge.program.v1",
  state: [],
  environment: [],
  procedures: [
    {
      name: "main",
      parameters: [{ name: "x", kind: "value", shape: [2] }],
      body: [
        { do: "buffer", name: "a", from: "x" },
        { do: "let", name: "m", op: "broadcast_to", attributes: { shape: [2, 2] }, operands: ["x"] },
        { do: "buffer", name: "seen", from: "m" },
        { do: "view", name: "turned", of: "seen", how: { kind: "permute", axes: [1, 0] } },
        { do: "view", name: "column", of: "a", how: { kind: "reshape", shape: [2, 1] } },
        {
          do: "view",
          name: "last",
          of: "turned",
          how: { kind: "slice", starts: [1, 1], sizes: [1, 1], steps: [1, 1] },
        },
        { do: "view", name: "scalar", of: "last", how: { kind: "reshape", shape: [] } },
        { do: "rebind", name: "seen", to: "turned" },
        { do: "view", name: "row", of: "seen", how: { kind: "reshape", shape: [4] } },
      ],
      results: [{ name: "row", shape: [4] }],
    },
  ],
};

/** A location is given away, and what is made of it too; another stays. */
const donated = program(({ input, buffer, procedure, call }) => {
  const x = input("x", [2]);
  const taken = [
    { name: "v", kind: "donated", shape: [2] },
    { name: "w", kind: "reference", shape: [2] },
  ] as const;
  const take = procedure("take", taken, (v, w) => [v.multiply(w)]);
  const [a, b] = [buffer(x), buffer(x)];
  return call(take, a, b);
});

/** One location has other names, which see a half of it each, and one of these has another. */
const named: Program = {
  format: "adjudge.program.v1",
  state: ["flat", "other"].map((name) => ({ name, shape: [4] })),
  aliases: [
    { do: "view", name: "half", of: "flat", how: { kind: "slice", starts: [3], sizes: [2], steps: [-2] } },
    { do: "view", name: "column", of: "half", how: { kind: "reshape", shape: [2, 1] } },
  ],
  environment: [],
  procedures: [
    {
      name: "main",
      parameters: [{ name: "x", kind: "value", shape: [2] }],
      body: [{ do: "write", to: "half", from: "x" }],
      results: [{ name: "column", shape: [2, 1] }],
    },
  ],
};

function answersOf(given: Program): Aliasing[][] {
  const [binders, answer] = [bindersOf(given), aliasesOf(given)];
  return binders.map((a) => binders.map((b) => answer(a, b)));
}

describe("aliasesOf", () => {
  test("tells views of one location from those of another", () => {
    expect(answersOf(simple)).toEqual([
      ["must", "cannot", "must", "cannot"],
      ["cannot", "must", "cannot", "must"],
      ["must", "cannot", "must", "cannot"],
      ["cannot", "must", "cannot", "must"],
    ]);
  });

  test("follows references into procedures, and knows that a loop makes many locations", () => {
    // a, b, the one in the loop, the parameter: it may be a or the one in the loop.
    expect(answersOf(called).at(-1)).toEqual(["may", "cannot", "may", "may"]);
    expect(answersOf(called)[2]?.[2]).toBe("may");
  });

  test("knows that a reshape may be a copy", () => {
    expect(answersOf(copied)[0]).toEqual(["must", "must", "must", "may", "must"]);
  });

  test("knows that a reshape of all of a location, or to one element, is a view", () => {
    // a, seen, turned, column, last, scalar, row: `seen` comes to stand for what is turned.
    const [a, seen] = answersOf(reshaped);
    expect(a).toEqual(["must", "cannot", "cannot", "must", "cannot", "cannot", "cannot"]);
    expect(seen).toEqual(["cannot", "must", "must", "cannot", "must", "must", "may"]);
  });

  test.each([
    ["views", simple],
    ["calls and loops", called],
    ["copies", copied],
    ["views that are reshaped", reshaped],
    ["locations that are given away", donated],
    ["other names of a location", named],
    ["detached references", detached],
  ])("covers what happens in a run: %s", (_, given) => {
    const { pairs, wrong } = violations(given);
    expect(pairs).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  });

  test("lists locations that are given away, and other names", () => {
    const countOf = (given: Program): number => sharingOf(given).references.length;
    expect([countOf(donated), countOf(named)]).toEqual([4, 4]);
  });

  test("would be told if it missed an alias, or saw one that is not there", () => {
    expect(violations(simple, () => "cannot").wrong).toContain("cannot true");
    expect(violations(simple, () => "must").wrong).toContain("must false");
    for (const given of [called, donated, named])
      expect(violations(given, () => "cannot").wrong).toContain("cannot true");
    expect(violations(reshaped, () => "must").wrong).toContain("must false");
  });
});
