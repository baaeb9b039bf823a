import { describe, expect, test } from "vitest";
import { checkProgram } from "../documents/index.ts";
import { GraphError, InvariantError, type ProgramBuilder, type ProgramOperand } from "../index.ts";
import { program } from "./build.ts";

/** Writes a program with a mistake, and calls `passed` on the line behind it. */
type Mistaken = (builder: ProgramBuilder, passed: () => void) => readonly ProgramOperand[] | undefined;

/** Each is refused where it is written, with this code. */
const mistakes: Readonly<Record<string, readonly [code: string, write: Mistaken]>> = {
  "two inputs of one name": [
    "program/name-twice",
    ({ input }, passed) => {
      input("x");
      input("x");
      passed();
    },
  ],
  "a location with the name of an input": [
    "program/name-twice",
    ({ input, state }, passed) => {
      input("x");
      state("x");
      passed();
    },
  ],
  "another name of a location that is a copy": [
    "program/copy",
    ({ state, alias }, passed) => {
      const turned = alias("turned", state("w", [2, 3]), { kind: "permute", axes: [1, 0] });
      alias("row", turned, { kind: "reshape", shape: [6] });
      passed();
    },
  ],
  "another name of a location that is made within a call": [
    "program/name",
    ({ input, buffer, alias }, passed) => {
      alias("tied", buffer(input("x")));
      passed();
    },
  ],
  "another name of a location that an input has": [
    "program/name-twice",
    ({ input, state, alias }, passed) => {
      input("x", [2]);
      alias("x", state("w", [2]));
      passed();
    },
  ],
  "two entries of Δ of one name": [
    "program/name-twice",
    ({ parameter, indices }, passed) => {
      parameter("t");
      indices("t", [2]);
      passed();
    },
  ],
  "two procedures of one name": [
    "program/name-twice",
    ({ procedure }, passed) => {
      procedure("f", [], () => []);
      procedure("f", [], () => []);
      passed();
    },
  ],
  "a procedure called as the entry is": [
    "program/name-twice",
    ({ procedure }, passed) => {
      procedure("main", [], () => []);
      passed();
    },
  ],
  "two parameters of one name": [
    "program/name-twice",
    ({ procedure }, passed) => {
      const x = { name: "x", kind: "value", shape: [] } as const;
      procedure("f", [x, x], () => []);
      passed();
    },
  ],
  "an input whose name is not seen": [
    "program/name",
    ({ input }, passed) => {
      input("x\u0007");
      passed();
    },
  ],
  "an input without a name": [
    "schema/minLength",
    ({ input }, passed) => {
      input("");
      passed();
    },
  ],
  "a location whose name is too long": [
    "schema/maxLength",
    ({ state }, passed) => {
      state("x".repeat(257));
      passed();
    },
  ],
  "an entry of Δ without a name": [
    "schema/minLength",
    ({ indices }, passed) => {
      indices("", [2]);
      passed();
    },
  ],
  "a parameter of no kind": [
    "schema/enum",
    ({ procedure }, passed) => {
      const x = { name: "x", kind: "value", shape: [] } as const;
      Reflect.apply(procedure, undefined, ["f", [{ ...x, kind: "pointer" }], () => []]);
      passed();
    },
  ],
  "more inputs than a procedure may have": [
    "schema/maxItems",
    ({ input }, passed) => {
      for (let i = 0; i < 65; i++) input(`x${i}`);
      passed();
    },
  ],
  "more results than a procedure may have": [
    "schema/maxItems",
    ({ input, procedure }, passed) => {
      const x = input("x");
      procedure("f", [], () => Array(65).fill(1));
      passed();
      return [x];
    },
  ],
  "more locations than a program may have": [
    "schema/maxItems",
    ({ state }, passed) => {
      for (let i = 0; i < 1025; i++) state(`s${i}`);
      passed();
    },
  ],
  "more procedures than a program may have": [
    "schema/maxItems",
    ({ procedure }, passed) => {
      for (let i = 0; i < 1024; i++) procedure(`f${i}`, [], () => []);
      passed();
    },
  ],
  "a shape that is none": [
    "schema/type",
    ({ input }, passed) => {
      Reflect.apply(input, undefined, ["x", null]);
      passed();
    },
  ],
  "a shape with an extent below 0": [
    "schema/minimum",
    ({ input }, passed) => {
      input("x", [-1]);
      passed();
    },
  ],
  "a vector as a condition": [
    "program/shape",
    ({ input, if_ }, passed) => {
      const x = input("x", [2]);
      if_(x, passed);
      passed();
    },
  ],
  "a vector as the condition of a loop": [
    "program/shape",
    ({ input, while_ }, passed) => {
      const x = input("x", [2]);
      while_(x, 3, passed);
      passed();
    },
  ],
  "a loop with a number of turns below 0": [
    "schema/minimum",
    ({ for_ }, passed) => {
      for_(-1, passed);
      passed();
    },
  ],
  "half a turn": [
    "schema/type",
    ({ for_ }, passed) => {
      for_(1.5, passed);
      passed();
    },
  ],
  "fuel below 0": [
    "schema/minimum",
    ({ input, while_ }, passed) => {
      while_(input("x"), -1, passed);
      passed();
    },
  ],
  "a name that becomes of another shape": [
    "program/shape",
    ({ input }, passed) => {
      const [x, y] = [input("x", [2]), input("y", [3])];
      x.becomes(y);
      passed();
    },
  ],
  "an operator that no update has": [
    "schema/enum",
    ({ input, buffer }, passed) => {
      const b = buffer(input("x"));
      Reflect.apply(b.update, b, ["pow", 2]);
      passed();
    },
  ],
  "an update by what is broader": [
    "shape/broadcast",
    ({ input, buffer }, passed) => {
      const b = buffer(input("x", [2]));
      b.update("add", input("y", [3]));
      passed();
    },
  ],
  "a slice with a step of 0": [
    "shape/step",
    ({ state }, passed) => {
      state("s", [3]).view({ kind: "slice", starts: [0], sizes: [2], steps: [0] });
      passed();
    },
  ],
  "a slice that steps back beyond the first element": [
    "program/index",
    ({ state }, passed) => {
      state("s", [3]).view({ kind: "slice", starts: [1], sizes: [3], steps: [-1] });
      passed();
    },
  ],
  "a counter that leaves its axis": [
    "program/index",
    ({ state, for_ }, passed) => {
      const s = state("s", [3]);
      for_(4, (i) => {
        s.at(i);
        passed();
      });
    },
  ],
  "a write through what was broadcast": [
    "program/write",
    ({ state }, passed) => {
      const wide = state("s").view({ kind: "broadcast", shape: [3] });
      wide.write(1);
      passed();
    },
  ],
  "a value out of its block": [
    "program/name",
    ({ input, if_ }, passed) => {
      const x = input("x");
      let inner = x;
      if_(x, () => {
        inner = x.multiply(x);
      });
      x.add(inner);
      passed();
    },
  ],
  "a location out of its block": [
    "program/name",
    ({ input, noGrad, buffer }, passed) => {
      const held: { release(): void }[] = [];
      noGrad(() => held.push(buffer(input("x"))));
      held[0]?.release();
      passed();
    },
  ],
  "a counter behind its loop": [
    "program/name",
    ({ state, for_ }, passed) => {
      const places: Parameters<ReturnType<typeof state>["at"]>[0][] = [];
      for_(2, (i) => places.push(i));
      state("s", [2]).at(places[0] ?? 0);
      passed();
    },
  ],
  "a value of the entry in a procedure": [
    "program/name",
    ({ input, procedure }, passed) => {
      const x = input("x");
      procedure("f", [], () => {
        const y = x.multiply(x);
        passed();
        return [y];
      });
    },
  ],
  "a value of another program": [
    "program/name",
    ({ input }, passed) => {
      const foreign: ProgramOperand[] = [];
      program((other) => {
        foreign.push(other.input("x"));
        return [];
      });
      input("x").add(foreign[0] ?? 0);
      passed();
    },
  ],
  "a result out of its block": [
    "program/name",
    ({ input, checkpoint }) => {
      const x = input("x");
      let inner = x;
      checkpoint(() => {
        inner = x.sin();
      });
      return [inner];
    },
  ],
  "a call with an operand too few": [
    "program/arity",
    ({ procedure, call }, passed) => {
      const f = procedure("f", [{ name: "x", kind: "value", shape: [] }], (x) => [x]);
      call(f);
      passed();
    },
  ],
  "a call with a value for a reference": [
    "program/kind",
    ({ input, procedure, call }, passed) => {
      const f = procedure("f", [{ name: "x", kind: "reference", shape: [] }], () => []);
      call(f, input("x"));
      passed();
    },
  ],
  "results other than were said": [
    "program/shape",
    ({ procedure }, passed) => {
      procedure("f", [{ name: "x", kind: "value", shape: [2] }], (x) => [x], [[3]]);
      passed();
    },
  ],
  "a call of itself, for other results than it has": [
    "program/arity",
    ({ procedure, call }, passed) => {
      const own = { name: "f", results: [] };
      procedure("f", [], () => {
        call(own);
        return [1];
      });
      passed();
    },
  ],
  "a derivative of a result that is not there": [
    "program/place",
    ({ input, procedure, derivative }, passed) => {
      const f = procedure("f", [{ name: "x", kind: "value", shape: [] }], (x) => [x]);
      derivative(f, { mode: "vjp", of: 1, wrt: 0 }, input("x"), 1);
      passed();
    },
  ],
  "a rate above 1": [
    "schema/maximum",
    ({ draw }, passed) => {
      draw({ kind: "bernoulli", rate: 2 }, [2]);
      passed();
    },
  ],
  "a break without a loop": [
    "program/leave",
    ({ break_ }, passed) => {
      break_();
      passed();
    },
  ],
  "a statement behind a break": [
    "program/leave",
    ({ input, for_, break_ }, passed) => {
      const x = input("x");
      for_(2, () => {
        break_();
        x.sin();
        passed();
      });
    },
  ],
  "a return of other results than the end's": [
    "program/arity",
    ({ input, if_, return_ }) => {
      const x = input("x");
      if_(x, () => return_(x));
      return [];
    },
  ],
  "blocks within too many others": [
    "program/nesting",
    ({ noGrad }, passed) => {
      const deeper = (depth: number): void => noGrad(() => (depth === 0 ? passed() : deeper(depth - 1)));
      deeper(24);
    },
  ],
};

/** What no type allows, and JavaScript does. */
const junk: readonly unknown[] = [undefined, null, Number.NaN, -1, 1.5, "x", {}, [], [-1], () => {}];

describe("program", () => {
  test.each(Object.entries(mistakes))("refuses %s, on the line of the mistake", (_, [code, write]) => {
    let isPassed = false;
    const passed = (): void => {
      isPassed = true;
    };
    const written = (): unknown => program((builder) => write(builder, passed) ?? []);
    expect(written).toThrow(GraphError);
    try {
      written();
    } catch (error) {
      expect(error instanceof GraphError ? error.fault.code : error).toBe(code);
    }
    expect(isPassed).toBe(false);
  });

  test("writes what checkProgram accepts, with a return and a break, and names beside those made up", () => {
    const written = program(({ input, for_, if_, break_, return_, buffer }) => {
      const x = input("%1", [2]);
      const b = buffer(x);
      for_(3, (i) => {
        if_(i, () => break_());
        b.update("multiply", i);
      });
      if_(b.at(0), () => return_(b));
      return [b.sin()];
    });
    const checked = checkProgram(written);
    expect(checked).toEqual({ ok: true, value: written });
  });

  test("is never at fault itself, whatever it is given", () => {
    const thrown: unknown[] = [];
    const methods = [
      "input",
      "state",
      "parameter",
      "indices",
      "buffer",
      "if_",
      "for_",
      "while_",
      "draw",
    ] as const;
    const others = ["receive", "send", "procedure", "call", "derivative", "add", "sum", "return_"] as const;
    const tried = (run: (builder: ProgramBuilder) => void): void => {
      try {
        program((builder) => {
          run(builder);
          return [];
        });
      } catch (error) {
        thrown.push(error);
      }
    };
    for (const method of [...methods, ...others])
      for (const first of junk)
        for (const second of junk)
          tried((builder) => Reflect.apply(builder[method], undefined, [first, second]));
    for (const method of ["view", "at", "write", "update"] as const)
      for (const first of junk)
        tried(({ state }) => {
          const s = state("s", [2]);
          Reflect.apply(s[method], s, [first, first]);
        });
    expect(thrown.length).toBeGreaterThan(500);
    expect(thrown.filter((error) => error instanceof InvariantError)).toEqual([]);
  });
});
