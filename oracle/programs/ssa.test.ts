import { describe, expect, test } from "vitest";
import {
  float64,
  record,
  type SsaForm,
  type Start,
  type Tensor,
  toSsa,
  unroll,
} from "../../reference/package.ts";
import { InvariantError, type Program, program } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { floatPrograms, programAt } from "./draw.ts";
import { drawnWithMeaning, startOver } from "./laws.test.kit.ts";
import { breaksLawS, faultsOfForm, formOf, idleParameters, wrongForms } from "./ssa.test.kit.ts";

const SEED = 1;

/** Tells if a form breaks law S on a drawn program by another graph; a missing name does not count. */
function isTold(index: number, wrong: (form: SsaForm) => SsaForm): boolean {
  const drawn = programAt(floatPrograms, SEED, index);
  try {
    return breaksLawS(drawn.program, startOver(drawn, Number), wrong(formOf(drawn.program))) === "graph";
  } catch (thrown) {
    if (thrown instanceof InvariantError) return false;
    throw thrown;
  }
}

describe("law S", () => {
  test("holds for random programs: unrolled, the form is the recorded graph, node for node", () => {
    for (const { index, program, start } of drawnWithMeaning(SEED, 400))
      expect([index, breaksLawS(program, start, formOf(program))]).toEqual([index, undefined]);
  });

  test.each(Object.entries(wrongForms))("is broken, soon, where %s", (_, wrong) => {
    expect(Array.from({ length: 400 }, (_, index) => index).some((index) => isTold(index, wrong))).toBe(true);
  });
});

describe("the form of a random program", () => {
  test("assigns every name once, before it is used, and has no parameter that is always the same", () => {
    for (let index = 0; index < 200; index++) {
      const form = formOf(programAt(floatPrograms, 5, index).program);
      expect([index, faultsOfForm(form), idleParameters(form)]).toEqual([index, [], []]);
    }
  });

  test("would be told if it used a name that one way does not assign", () => {
    const wrong = wrongForms["a join forgets a parameter, and keeps what was there before the branch"];
    const forms = Array.from({ length: 60 }, (_, index) =>
      formOf(programAt(floatPrograms, 5, index).program),
    );
    expect(forms.flatMap((form) => faultsOfForm(wrong?.(form) ?? form)).join()).toContain("is not assigned");
  });
});

const tensorOf = (shape: readonly number[], ...data: number[]): Tensor<number> => ({ shape, data });

function startAt(parameters: readonly Tensor<number>[], rest: Partial<Start<number>> = {}): Start<number> {
  const generator = { key: [1, 2] as const, drawn: 0 };
  return { parameters, state: [], environment: new Map(), generator, world: new Map(), ...rest };
}

/** Checks law S at a point, and that the form is well-formed; says how many blocks and functions it has. */
function lawful(
  written: Program,
  start: Start<number>,
): { readonly functions: number; readonly blocks: number } {
  const form = formOf(written);
  expect(faultsOfForm(form)).toEqual([]);
  expect(breaksLawS(written, start, form)).toBeUndefined();
  return {
    functions: form.functions.length,
    blocks: form.functions.reduce((sum, { blocks }) => sum + blocks.length, 0),
  };
}

/** Returns a program of `c` and `x` that returns the locations `a` and `seen`. */
function withBody(body: Program["procedures"][number]["body"]): Program {
  const given = [
    { name: "c", kind: "value", shape: [] },
    { name: "x", kind: "value", shape: [2] },
  ] as const;
  const results = ["a", "seen"].map((name) => ({ name, shape: [2] }));
  const procedures = [{ name: "main", parameters: given, body, results }];
  return { format: "adjudge.program.v1", state: [], environment: [], procedures };
}

describe("the form of a program", () => {
  test("has every kind of statement", () => {
    const start = startAt([tensorOf([2], 3, 4)], {
      state: [tensorOf([2], 0, 0)],
      environment: new Map([["c", { kind: "real", tensor: tensorOf([2], 1, 2) }]]),
      world: new Map([["in", [tensorOf([2], 5, 6)]]]),
    });
    expect(lawful(everyStatement, start).functions).toBe(6);
  });

  test("has the program's own names behind statements that mean others, which bind the same", () => {
    const row = ["along", "by", "derivative", "x.row", "x.value", "m.full"] as const;
    const written = program(({ input, buffer, procedure, hook, derivedCall }) => {
      const [x, m] = [input("x", [2]), input("m", [2])];
      const own = row.map((name) => input(name, [2]));
      const squared = procedure("squared", [{ name: "u", kind: "value", shape: [2] }], (u) => [
        u.multiply(u),
      ]);
      const location = buffer(x);
      location.writeScatter(m, x);
      const derived = derivedCall(squared, { mode: "vjp", of: [0], wrt: [0], along: [m] }, x);
      return [location, hook(x, squared), ...derived, ...own];
    });
    const points = [3, 1, ...row.keys()].map((x) => tensorOf([2], x, x + 1));
    expect(lawful(written, startAt(points)).blocks).toBeGreaterThan(0);
  });

  test("has a join for each way in which locations are shared", () => {
    // The builder rebinds values alone.
    const written = withBody([
      { do: "buffer", name: "a", from: "x" },
      { do: "buffer", name: "b", from: "x" },
      { do: "buffer", name: "seen", from: "x" },
      {
        do: "if",
        condition: "c",
        body: [{ do: "rebind", name: "seen", to: "a" }],
        otherwise: [{ do: "rebind", name: "seen", to: "b" }],
      },
      { do: "update", to: "seen", op: "add", from: "x" },
    ]);
    for (const c of [0, 1])
      expect(lawful(written, startAt([tensorOf([], c), tensorOf([2], 3, 4)])).blocks).toBe(5);
  });

  test("follows a location that each turn makes anew", () => {
    const written = withBody([
      { do: "buffer", name: "a", from: "x" },
      { do: "buffer", name: "seen", from: "a" },
      {
        do: "for",
        counter: "i",
        times: 3,
        body: [
          { do: "buffer", name: "next", from: "seen" },
          { do: "update", to: "next", op: "add", from: "a" },
          { do: "update", to: "a", op: "multiply", from: "next" },
          { do: "rebind", name: "seen", to: "next" },
        ],
      },
      { do: "update", to: "seen", op: "add", from: "a" },
    ]);
    lawful(written, startAt([tensorOf([], 1), tensorOf([2], 3, 4)]));
  });

  test("has as many functions as there are ways to share, however deep a recursion passes on what it made", () => {
    const written = program(({ input, buffer, procedure, call, if_ }) => {
      const both = [
        { name: "n", kind: "value", shape: [] },
        { name: "v", kind: "reference", shape: [2] },
        { name: "w", kind: "reference", shape: [2] },
      ] as const;
      const grow = procedure(
        "grow",
        both,
        (n, v, w) => {
          if_(n, () => {
            const made = buffer(v);
            if ("isReference" in w) w.update("add", made);
            call({ name: "grow", results: [] }, n.subtract(1), made, v);
            if ("isReference" in v) v.update("multiply", made);
          });
          return [];
        },
        [],
      );
      const a = buffer(input("x", [2]));
      // The entry passes one location twice, and the procedure two.
      call(grow, 3, a, a);
      return [a];
    });
    expect(lawful(written, startAt([tensorOf([2], 3, 4)])).functions).toBe(3);
  });

  test("passes where a view begins that a counter moves", () => {
    const written = program(({ input, buffer, procedure, call, for_ }) => {
      const bump = procedure("bump", [{ name: "v", kind: "reference", shape: [] }], (v) => {
        if ("isReference" in v) v.update("add", 1);
        return [v];
      });
      const a = buffer(input("x", [3]));
      for_(3, (i) => call(bump, a.at(i)));
      return [a];
    });
    expect(lawful(written, startAt([tensorOf([3], 3, 4, 5)])).functions).toBe(2);
  });

  test.each(["while", "for"] as const)("has what follows a %s once, though breaks end it too", (loop) => {
    const add = { do: "update", to: "a", op: "add", from: "x" } as const;
    const applications = (inside: Program["procedures"][number]["body"]): number => {
      const arm = { do: "if", condition: "c", body: inside, otherwise: [] } as const;
      const around =
        loop === "while"
          ? ({ do: "while", condition: "c", fuel: 3, body: [add, arm] } as const)
          : ({ do: "for", counter: "i", times: 3, body: [add, arm] } as const);
      const locations = ["a", "seen"].map((name) => ({ do: "buffer", name, from: "x" }) as const);
      const written = withBody([...locations, around, add, add]);
      for (const c of inside.length === 0 ? [0] : [0, 1])
        lawful(written, startAt([tensorOf([], c), tensorOf([2], 3, 4)]));
      const blocks = formOf(written).functions.flatMap((one) => one.blocks);
      return blocks.flatMap(({ body }) => body.filter((one) => one.do === "apply")).length;
    };
    expect([applications([]), applications([{ do: "break" }])]).toEqual([3, 3]);
  });

  test("is not unrolled along the decisions of something else", () => {
    const written = program(({ input, if_, buffer }) => {
      const x = input("x");
      const b = buffer(x);
      if_(x, () => b.update("add", 1));
      return [b];
    });
    const form = formOf(written);
    const start = startAt([tensorOf([], 1)]);
    for (const decisions of [[], [true, false]]) {
      const unrolled = unroll(float64, written, form, decisions, start);
      expect(unrolled).toMatchObject({ ok: false, error: [{ code: "program/decisions" }] });
    }
    const other = unroll(float64, written, form, [false], start);
    const recorded = record(float64, written, start);
    expect(
      other.ok && recorded.ok && other.value.graph.nodes.length < recorded.value.graph.nodes.length,
    ).toBe(true);
  });

  test("is refused where it would be too long: where names may see each other's locations in many ways", () => {
    const names = ["a", "seen", "p", "q", "r"];
    const body: Program["procedures"][number]["body"] = [
      ...names.map((name) => ({ do: "buffer", name, from: "x" }) as const),
      ...names.flatMap((name, i) =>
        names.slice(i + 1).map((to) => {
          const rebinding = [{ do: "rebind", name, to }] as const;
          return { do: "if", condition: "c", body: rebinding, otherwise: [] } as const;
        }),
      ),
    ];
    const written = withBody(body);
    expect(formOf(written).functions[0]?.blocks.length).toBeGreaterThan(100);
    expect(toSsa(written, 100)).toMatchObject({ ok: false, error: [{ code: "program/too-long" }] });
  });

  test("does not go on where something is written through a broadcast", () => {
    const written: Program = {
      ...everyStatement,
      procedures: [
        {
          name: "main",
          parameters: [{ name: "x", kind: "value", shape: [2, 2] }],
          body: [
            { do: "buffer", name: "b", from: "x" },
            {
              do: "view",
              name: "row",
              of: "b",
              how: { kind: "slice", starts: [0, 0], sizes: [1, 2], steps: [1, 1] },
            },
            { do: "view", name: "wide", of: "row", how: { kind: "broadcast", shape: [2, 2] } },
            { do: "write", to: "wide", from: "x" },
          ],
          results: [],
        },
      ],
    };
    const form = toSsa(written);
    expect(form.ok && form.value.functions[0]?.blocks[0]?.end).toEqual({ kind: "stop", name: "wide" });
  });
});
