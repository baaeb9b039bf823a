import { describe, expect, test } from "vitest";
import { type Program, type ProgramBuilder, present, program } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { execute, functionalise, record } from "./execute.ts";
import { exactly, issueOfRun, left, shown, startAt, wellFormed } from "./state.test.kit.ts";

const sum = { axes: [0], keepdims: false } as const;
const two = exactly([2], 3, 4);

describe("a program", () => {
  test("overwrites a location, and every view of it sees that; a buffer is a copy", () => {
    const built = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const [first, copy] = [a.at(0), buffer(a)];
      first.update("multiply", 10);
      return [a, first, copy];
    });
    expect(left(wellFormed(built), startAt([two]))).toEqual(["30 4", "30", "3 4"]);
  });

  test("reads a location when an operator is applied, not when the view is made", () => {
    const built = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const before = a.sum(sum);
      a.write(a.add(1));
      return [before, a.sum(sum)];
    });
    expect(left(built, startAt([two]))).toEqual(["7", "9"]);
  });

  test("reads all of an overlapping write before it writes any", () => {
    const built = program(({ input, buffer }) => {
      const a = buffer(input("x", [4]));
      const part = (start: number) => a.view({ kind: "slice", starts: [start], sizes: [3], steps: [1] });
      part(1).write(part(0));
      return [a];
    });
    expect(left(built, startAt([exactly([4], 1, 2, 3, 4)]))).toEqual(["1 1 2 3"]);
  });

  test("sees a transpose and a diagonal in place, and copies what no view can be", () => {
    const built = program(({ input, buffer }) => {
      const a = buffer(input("x", [2, 2]));
      a.view({ kind: "diagonal" }).write(0);
      const turned = a.view({ kind: "permute", axes: [1, 0] });
      turned.at(0).update("add", 5);
      // A transpose in one row has no strides, so this is a copy: writing it changes nothing else.
      turned.view({ kind: "reshape", shape: [4] }).write(9);
      return [a];
    });
    expect(left(built, startAt([exactly([2, 2], 1, 2, 3, 4)]))).toEqual(["5 2 8 0"]);
  });

  test("rebinds names without touching what they stood for", () => {
    const built = program(({ input }) => {
      const x = input("x", [2]);
      const y = x.multiply(2);
      const old = y.add(0);
      y.becomes(y.multiply(y));
      return [old, y];
    });
    expect(left(built, startAt([two]))).toEqual(["6 8", "36 64"]);
  });

  test("leaves a loop by a break, and the procedure by a return, and what was written stays", () => {
    const built = program(({ input, buffer, for_, if_, break_, return_, noGrad }) => {
      const a = buffer(input("x", [2]));
      for_(5, (i) => {
        for_(5, (j) => {
          a.update("add", 1);
          if_(j, break_);
        });
        noGrad(() => if_(i, () => return_(a.multiply(2), a)));
      });
      return [a, a];
    });
    expect(left(wellFormed(built), startAt([two]))).toEqual(["14 16", "7 8"]);
  });

  test("gives a location away: who got it overwrites it, and nobody else sees it any more", () => {
    const giving = (isReadAgain: boolean) =>
      program(({ input, buffer, procedure, call }) => {
        const parameters = [{ name: "v", kind: "donated", shape: [2] }] as const;
        const doubled = procedure("doubled", parameters, (v) => {
          if ("isReference" in v) v.update("add", v);
          return [v];
        });
        const a = buffer(input("x", [2]));
        const [square, first] = [a.multiply(a), a.at(0)];
        return [...call(doubled, a), square, ...(isReadAgain ? [first] : [])];
      });
    expect(left(wellFormed(giving(false)), startAt([two]))).toEqual(["6 8", "9 16"]);
    expect(issueOfRun(giving(true), startAt([two]))?.code).toBe("program/released");
  });

  test("loops with a counter, and while a condition holds", () => {
    const built = program(({ input, buffer, for_, while_ }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      for_(2, (i) => a.at(i).update("multiply", i.add(1)));
      const limit = x.sum(sum);
      const total = limit.multiply(0);
      const goesOn = total.less(limit);
      while_(goesOn, 10, () => {
        total.becomes(total.add(3));
        goesOn.becomes(total.less(limit));
      });
      return [a, total];
    });
    expect(left(built, startAt([two]))).toEqual(["3 8", "9"]);
  });

  test("decides branches by values, those it has just overwritten too", () => {
    const built = program(({ input, buffer, if_ }) => {
      const a = buffer(input("x"));
      a.update("subtract", 1);
      if_(
        a,
        () => a.write(7),
        () => a.write(8),
      );
      return [a];
    });
    expect(left(built, startAt([exactly([], 2)]))).toEqual(["7"]);
    expect(left(built, startAt([exactly([], 1)]))).toEqual(["8"]);
  });

  test("calls by reference and by value, and itself", () => {
    const built = program(({ input, buffer, procedure, call, if_ }) => {
      const grow = procedure("grow", [{ name: "v", kind: "reference", shape: [2] }], (v) => {
        if ("isReference" in v) v.update("add", 1);
        return [];
      });
      const keep = procedure("keep", [{ name: "v", kind: "value", shape: [2] }], (v) => [v.add(1)]);
      const factorial = procedure("factorial", [{ name: "n", kind: "value", shape: [] }], (n) => {
        const result = n.multiply(0).add(1);
        if_(n, () =>
          result.becomes(n.multiply(call({ name: "factorial", results: [[]] }, n.subtract(1))[0] ?? 0)),
        );
        return [result];
      });
      const a = buffer(input("x", [2]));
      call(grow, a);
      const [kept] = call(keep, a);
      const [product] = call(factorial, a.at(1));
      return [a, kept ?? 0, product ?? 0];
    });
    expect(left(wellFormed(built), startAt([two]))).toEqual(["4 5", "5 6", "120"]);
  });

  test("takes the place of its draws from what was told of this call alone, however often was drawn before", () => {
    const once = program(({ draw }) => [draw({ kind: "uniform" }, [1])]);
    const draws = [exactly([1], 0.25)];
    const start = startAt([], { draws, generator: { key: [1, 2], drawn: 3 } });
    expect(left(once, start)).toEqual(["1/4"]);
    expect(issueOfRun(once, { ...start, draws: [] })?.code).toBe("program/draws");
  });

  test("draws what its generator has next, and the same again from the same start", () => {
    const built = program(({ draw }) => {
      const half = { kind: "bernoulli", rate: 0.5 } as const;
      const [first, second] = [draw(half, [16]), draw(half, [16])];
      return [
        first,
        second,
        draw(half, [16], [5, 6]),
        draw(half, [16], [5, 6]),
        draw({ kind: "uniform" }, [2]),
      ];
    });
    const [first, second, third, fourth, uniform] = left(wellFormed(built), startAt([]));
    expect(first).not.toBe(second);
    expect(third).toBe(fourth);
    expect(new Set(first?.split(" "))).toEqual(new Set(["0", "1"]));
    expect(uniform?.split(" ").map((text) => text.split("/")[1] !== undefined)).toEqual([true, true]);
    expect(left(built, startAt([]))[0]).toBe(first);
    const later = startAt([], { generator: { key: [1, 2], drawn: 1 } });
    expect(left(built, later)[0]).toBe(second);
  });

  test("takes what was drawn elsewhere from its first, wherever the generator begins", () => {
    const built = program(({ draw }) => [draw({ kind: "uniform" }, []), draw({ kind: "uniform" }, [])]);
    const draws = [exactly([], 3), exactly([], 5)];
    const generator = { key: [1, 2], drawn: 41 } as const;
    expect(left(wellFormed(built), startAt([], { draws, generator }))).toEqual(["3", "5"]);
    const ran = execute(rational, built, startAt([], { draws, generator }));
    expect(ran.ok && ran.value.generator.drawn).toBe(43);
  });

  test("keeps its persistent locations from one call to the next", () => {
    const built = program(({ input, state }) => {
      const total = state("total", [2]);
      total.update("add", input("x", [2]));
      return [];
    });
    const once = execute(rational, built, startAt([two], { state: [exactly([2], 1, 1)] }));
    if (!once.ok) throw new Error(JSON.stringify(once.error));
    expect(once.value.state.map(shown)).toEqual(["4 5"]);
    expect(left(built, startAt([two], { state: once.value.state }))).toEqual(["7 9"]);
  });

  test("receives what the world has, in order, and sends", () => {
    const built = program(({ receive, send }) => {
      const [first, second] = [receive("in", [2]), receive("in", [2])];
      send("out", second.subtract(first));
      return [first];
    });
    const world = new Map([["in", [two, exactly([2], 9, 9)]]]);
    const executed = execute(rational, built, startAt([], { world }));
    expect(
      executed.ok && executed.value.sent.map(({ channel, value }) => `${channel} ${shown(value)}`),
    ).toEqual(["out 6 5"]);
    expect(left(built, startAt([], { world }))).toEqual(["3 4"]);
  });

  test("differentiates a procedure with memory in it", () => {
    const built = program(({ input, buffer, procedure, derivative }) => {
      const cube = procedure("cube", [{ name: "v", kind: "value", shape: [2] }], (v) => {
        const a = buffer(v);
        a.update("multiply", v);
        a.update("multiply", v);
        return [a.sum(sum)];
      });
      const x = input("x", [2]);
      return [
        derivative(cube, { mode: "vjp", of: 0, wrt: 0 }, x, 1),
        derivative(cube, { mode: "jvp", of: 0, wrt: 0 }, x, x),
      ];
    });
    expect(left(wellFormed(built), startAt([two]))).toEqual(["27 48", "273"]);
  });

  describe("differentiates a call", () => {
    const step = (builder: ProgramBuilder) =>
      builder.procedure(
        "step",
        [
          { name: "w", kind: "reference", shape: [2] },
          { name: "u", kind: "value", shape: [2] },
        ],
        (w, u) => {
          const y = w.multiply(u);
          if ("isReference" in w) w.update("multiply", w);
          builder.send("out", w);
          return [y.add(builder.receive("in", [2]))];
        },
      );
    const world = new Map([["in", [exactly([2], 1, 2), exactly([2], 9, 9)]]]);

    test("of its result and of what it leaves, by what it finds and by what it is given", () => {
      const built = program((builder) => {
        const x = builder.input("x", [2]);
        const b = builder.buffer(x);
        const how = { mode: "vjp", of: [0, 1], wrt: [1, 0], along: [x.multiply(x), x] } as const;
        return [...builder.derivedCall(step(builder), how, b, x.add(1)), b];
      });
      // The result x·(x + 1) + (1, 2), the cotangents x²·x of u and x²·(x + 1) + x·2x of w, and w² behind it.
      expect(left(wellFormed(built), startAt([two], { world }))).toEqual([
        "13 22",
        "27 64",
        "54 112",
        "9 16",
      ]);
    });

    test("and happens once: it receives, sends and overwrites as a call does", () => {
      const called = (isDerived: boolean) =>
        program((builder) => {
          const x = builder.input("x", [2]);
          const b = builder.buffer(x);
          const procedure = step(builder);
          const how = { mode: "jvp", of: [1], wrt: [0], along: [x] } as const;
          const [y = x] = isDerived
            ? builder.derivedCall(procedure, how, b, x)
            : builder.call(procedure, b, x);
          return [y, b, builder.draw({ kind: "uniform" }, [2])];
        });
      const runs = [true, false].map((isDerived) =>
        execute(rational, wellFormed(called(isDerived)), startAt([two], { world })),
      );
      const [derived, plain] = runs.map((run) => run.ok && { ...run.value });
      expect(derived).toEqual(plain);
    });

    test("with one location where two references see one, and by no element that both see", () => {
      const asked = (starts: readonly [number, number]) =>
        program((builder) => {
          const b = builder.buffer(builder.input("x", [3]));
          const seen = starts.map((start) =>
            b.view({ kind: "slice", starts: [start], sizes: [1], steps: [1] }),
          );
          const one = { kind: "reference", shape: [1] } as const;
          const pair = builder.procedure(
            "pair",
            [
              { name: "v", ...one },
              { name: "u", ...one },
            ],
            (v, u) => {
              if ("isReference" in v) v.update("add", v);
              return [v.multiply(u)];
            },
          );
          const [v, u] = [present(seen[0], "a view"), present(seen[1], "a view")];
          const along = builder.full({ shape: [1], value: 1 });
          const wrt = starts[0] === 2 ? [0] : [0, 1];
          return builder.derivedCall(pair, { mode: "vjp", of: [0], wrt, along: [along] }, v, u).slice(1);
        });
      const three = exactly([3], 2, 3, 5);
      expect(left(wellFormed(asked([0, 1])), startAt([three]))).toEqual(["6", "4"]);
      // (2x)·(2x) of one element, by it.
      expect(left(wellFormed(asked([2, 2])), startAt([three]))).toEqual(["40"]);
      expect(issueOfRun(asked([1, 1]), startAt([three]))?.code).toBe("program/write");
    });
  });

  test("has every kind of statement run, and changes nothing of where it starts", () => {
    const tensors = [exactly([2], 3, 4), exactly([2], 0, 0), exactly([2], 2, 2), exactly([2], 1, 1)] as const;
    const start = startAt([tensors[0]], {
      state: [tensors[1]],
      environment: new Map([["c", { kind: "real", tensor: tensors[2] }]]),
      world: new Map([["in", [tensors[3]]]]),
    });
    const float = execute(float64, everyStatement, {
      parameters: [{ shape: [2], data: [3, 4] }],
      state: [{ shape: [2], data: [0, 0] }],
      environment: new Map([["c", { kind: "real", tensor: { shape: [2], data: [2, 2] } }]]),
      generator: { key: [1, 2], drawn: 0 },
      world: new Map([["in", [{ shape: [2], data: [1, 1] }]]]),
    });
    expect(float.ok && float.value.results.map(({ data }) => data)).toEqual([
      [0, 64],
      [0, 8],
    ]);
    // `exp` has no rational value, and nobody reads it: over the rationals the run ends there.
    expect(issueOfRun(everyStatement, start)?.code).toBe("algebra/missing");
    expect(tensors.map(shown)).toEqual(["3 4", "0 0", "2 2", "1 1"]);
  });
});

describe("a run that cannot go on", () => {
  const spin = program(({ input, while_ }) => {
    const x = input("x", [2]);
    while_(x.sum(sum), 5, () => {});
    return [];
  });
  const forever = program(({ input, procedure, call }) => {
    const loop = procedure("loop", [{ name: "v", kind: "value", shape: [2] }], (v) => {
      call({ name: "loop", results: [] }, v);
      return [];
    });
    call(loop, input("x", [2]));
    return [];
  });
  const freed = program(({ input, buffer }) => {
    const a = buffer(input("x", [2]));
    const view = a.at(0);
    a.release();
    view.update("add", 1);
    return [];
  });
  const smeared = program(({ input, buffer, procedure, call }) => {
    const fill = procedure("fill", [{ name: "v", kind: "reference", shape: [2, 2] }], (v) => {
      if ("isReference" in v) v.write(1);
      return [];
    });
    const a = buffer(input("x", [2]));
    call(fill, a.view({ kind: "broadcast", shape: [2, 2] }));
    return [];
  });
  const silent = program(({ receive }) => [receive("in", [2])]);
  const leaky = program(({ input, send, procedure, derivative }) => {
    const tell = procedure("tell", [{ name: "v", kind: "value", shape: [2] }], (v) => {
      send("out", v);
      return [v];
    });
    const x = input("x", [2]);
    return [derivative(tell, { mode: "jvp", of: 0, wrt: 0 }, x, x)];
  });
  const ended = program(({ input, buffer }) => {
    const b = buffer(input("x", [2]));
    b.release();
    return [b];
  });
  const forgotten = program(({ input, procedure, call, buffer }) => {
    const f = procedure("f", [{ name: "v", kind: "value", shape: [2] }], (v) => {
      const b = buffer(v);
      b.release();
      return [b];
    });
    return call(f, input("x", [2]));
  });
  const inputs = (given: Program): number => given.procedures[0]?.parameters.length ?? 0;

  test.each([
    ["out of fuel", spin, "program/fuel", "/procedures/0/body/1"],
    ["a recursion without end", forever, "program/recursion", "/procedures/1/body/0"],
    ["a location that was released", freed, "program/released", "/procedures/0/body/5"],
    ["a result that was released", ended, "program/released", "/procedures/0/results/0"],
    ["a result of a procedure, released", forgotten, "program/released", "/procedures/1/results/0"],
    ["a write through a parameter that was broadcast", smeared, "program/write", "/procedures/1/body/1"],
    ["a world that has nothing more", silent, "program/world", "/procedures/0/body/0"],
    ["something sent from within a derivative", leaky, "program/effect", "/procedures/0/body/0"],
  ])("says where: %s", (_, given, code, pointer) => {
    const issue = issueOfRun(wellFormed(given), startAt(inputs(given) > 0 ? [two] : []));
    expect(`${issue?.code} ${issue?.pointer}`).toBe(`${code} ${pointer}`);
    expect(issue?.hint).toBeTruthy();
  });

  test("is stopped at its limits before it takes them", () => {
    const hungry = program(({ input, buffer, for_ }) => {
      const x = input("x", [2]);
      for_(1000, () => buffer(x));
      return [];
    });
    const limits = { statements: 2 ** 20, elements: 100, calls: 256 };
    const executed = execute(rational, hungry, startAt([two]), limits);
    expect(executed.ok ? "" : executed.error[0]?.code).toBe("program/memory");
    const short = execute(rational, hungry, startAt([two]), { ...limits, elements: 1e6, statements: 500 });
    expect(short.ok ? "" : short.error[0]?.code).toBe("program/too-long-a-run");
  });
});

describe("functionalise", () => {
  const unrolled = program(({ input, buffer, for_, draw, if_, full }) => {
    const a = buffer(input("x", [3]));
    for_(3, (i) => a.at(i).update("add", i));
    const n = full({ shape: [], value: 2 });
    if_(
      n.subtract(2),
      () => a.write(0),
      () => a.update("multiply", draw({ kind: "bernoulli", rate: 0.5 }, [3])),
    );
    return [a];
  });

  test("is the graph of every run where no condition depends on an input", () => {
    const start = startAt([exactly([3], 1, 2, 3)]);
    const [fixed, recorded] = [functionalise(rational, unrolled, start), record(rational, unrolled, start)];
    if (!fixed.ok || !recorded.ok) throw new Error(JSON.stringify([fixed, recorded]));
    expect(fixed.value.graph).toEqual(recorded.value.graph);
    expect(fixed.value.outcome).toEqual(recorded.value.outcome);
    expect(left(unrolled, start)).toHaveLength(1);
  });

  test("says which condition depends on an input", () => {
    const branching = program(({ input, if_, buffer }) => {
      const a = buffer(input("x"));
      if_(a, () => a.write(1));
      return [a];
    });
    const fixed = functionalise(rational, branching, startAt([]));
    expect(fixed.ok ? "" : `${fixed.error[0]?.code} ${fixed.error[0]?.pointer}`).toBe(
      "program/condition /procedures/0/body/1",
    );
  });
});
