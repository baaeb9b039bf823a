import { describe, expect, test } from "vitest";
import { type Program, program, statementsIn } from "../../spec/index.ts";
import { sightingsIn } from "./aliases.test.kit.ts";
import { type Aliasing, aliasesOf, type Binder } from "./aliases.ts";
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
    ...parameters.filter(({ kind }) => kind === "reference"),
    ...statementsIn(body).filter((statement) => BINDING.has(statement.do)),
  ]);
  return [...state, ...statements];
}

/** Finds pairs with a wrong static answer: they shared memory that they cannot, or not what they must. */
function violations(
  given: Program,
  answer: (a: Binder, b: Binder) => Aliasing = aliasesOf(given),
): { readonly pairs: number; readonly wrong: readonly string[] } {
  const sightings = sightingsIn(given, start);
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
    expect(answersOf(copied)[0]).toEqual(["must", "must", "must", "may", "may"]);
  });

  test.each([
    ["views", simple],
    ["calls and loops", called],
    ["copies", copied],
    ["detached references", detached],
  ])("covers what happens in a run: %s", (_, given) => {
    const { pairs, wrong } = violations(given);
    expect(pairs).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
  });

  test("would be told if it missed an alias, or saw one that is not there", () => {
    expect(violations(simple, () => "cannot").wrong).toContain("cannot true");
    expect(violations(simple, () => "must").wrong).toContain("must false");
    expect(violations(called, () => "cannot").wrong).toContain("cannot true");
  });
});
