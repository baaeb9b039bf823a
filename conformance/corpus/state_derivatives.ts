import { program } from "../../spec/programs/index.ts";
import { type StateText, value } from "./state_text.ts";

const v = { name: "v", kind: "value", shape: [] } as const;
const w = { name: "w", kind: "value", shape: [] } as const;

const inner = {
  refuse: "may",
  why: "the procedure that is differentiated overwrites what the sweep of its own derivative needs",
} as const;

/** Vectors of derivatives inside programs: of procedures with own memory, and of other derivatives. */
export const derivatives: readonly StateText[] = [
  {
    name: "derivative_as_a_value",
    clause: "10.8",
    note: "g = d(v³) at x, times y: g depends on x, and has a derivative of its own",
    faults: ["derivative_is_constant"],
    program: program(({ input, procedure, derivative }) => {
      const cube = procedure("cube", [v], (a) => [value(a).multiply(value(a)).multiply(value(a))]);
      const [x, c] = [input("x"), input("c")];
      return [derivative(cube, { mode: "vjp", of: 0, wrt: 0 }, x, c)];
    }),
    parameters: [2, 3],
  },
  {
    name: "derivative_forward",
    clause: "10.8",
    note: "the derivative of a quotient by its second parameter, along a tangent: the first is captured",
    faults: ["derivative_is_constant", "derivative_by_the_first"],
    program: program(({ input, procedure, derivative }) => {
      const ratio = procedure("ratio", [v, w], (a, b) => [value(a).divide(value(b))]);
      const [x, y, t] = [input("x"), input("y"), input("t")];
      return [derivative(ratio, { mode: "jvp", of: 0, wrt: 1 }, x, y, t)];
    }),
    parameters: [3, 2, 5],
  },
  {
    name: "derivative_of_the_second_result",
    clause: "10.8",
    note: "the procedure has two results, and the derivative is of the second",
    faults: ["derivative_of_the_first_result", "derivative_is_constant"],
    program: program(({ input, procedure, derivative }) => {
      const both = procedure("both", [v, w], (a, b) => [
        value(a).add(value(b)),
        value(a).multiply(value(a)).multiply(value(b)),
      ]);
      const [x, y, c] = [input("x"), input("y"), input("c")];
      return [derivative(both, { mode: "vjp", of: 1, wrt: 0 }, x, y, c)];
    }),
    parameters: [3, 2, 5],
  },
  {
    name: "derivative_of_a_loop_in_place",
    ...inner,
    clause: "10.8",
    note: "the derivative of a procedure that squares a location of its own twice: v⁴",
    faults: ["loop_one_turn_short", "derivative_is_constant"],
    program: program(({ input, buffer, procedure, derivative, for_ }) => {
      const fourth = procedure("fourth", [v], (a) => {
        const own = buffer(value(a));
        for_(2, () => own.update("multiply", own));
        return [own];
      });
      const [x, c] = [input("x"), input("c")];
      return [derivative(fourth, { mode: "vjp", of: 0, wrt: 0 }, x, c)];
    }),
    parameters: [2, 3],
    probe: { right: { results: [96], cotangents: [144, 32] } },
  },
  {
    name: "point_of_a_derivative_is_overwritten",
    clause: "10.5",
    note: "the derivative was taken at a location that is overwritten afterwards: its own derivative needs the point as it was",
    faults: ["saved_value_not_kept", "derivative_is_constant"],
    program: program(({ input, buffer, procedure, derivative }) => {
      const cube = procedure("cube", [v], (a) => [value(a).multiply(value(a)).multiply(value(a))]);
      const a = buffer(input("x"));
      const g = derivative(cube, { mode: "vjp", of: 0, wrt: 0 }, a, input("c"));
      a.write(g);
      return [a.multiply(g)];
    }),
    parameters: [2, 3],
  },
  {
    name: "derivative_in_a_loop",
    clause: "10.8",
    note: "three steps of descent in place, each by the derivative at what the one before has left",
    faults: ["derivative_is_constant", "loop_one_turn_short"],
    program: program(({ input, buffer, procedure, derivative, for_ }) => {
      const loss = procedure("loss", [v, w], (a, b) => [
        value(a)
          .subtract(value(b))
          .multiply(value(a).subtract(value(b))),
      ]);
      const [x, target, rate] = [input("x"), input("target"), input("rate")];
      const a = buffer(x);
      for_(3, () => {
        const g = derivative(loss, { mode: "vjp", of: 0, wrt: 0 }, a, target, 1);
        a.update("subtract", rate.multiply(g));
      });
      return [a];
    }),
    parameters: [5, 2, 0.25],
    probe: { right: { results: [2.375], cotangents: [0.125, 0.875, -4.5] } },
  },
  {
    name: "derivative_of_a_derivative",
    clause: "10.8",
    note: "a procedure has a derivative in it, and its derivative is taken: d²(v³) = 6v, with a third by the sweep",
    faults: ["derivative_is_constant"],
    program: program(({ input, procedure, derivative }) => {
      const cube = procedure("cube", [v], (a) => [value(a).multiply(value(a)).multiply(value(a))]);
      const slope = procedure("slope", [v, w], (a, b) => [
        derivative(cube, { mode: "jvp", of: 0, wrt: 0 }, value(a), value(b)),
      ]);
      const [x, c] = [input("x"), input("c")];
      return [derivative(slope, { mode: "vjp", of: 0, wrt: 0 }, x, 1, c)];
    }),
    parameters: [2, 3],
    probe: { right: { results: [36], cotangents: [18, 12] } },
  },
  {
    name: "tangents_of_two_levels",
    clause: "10.8",
    note: "d/dx (x · d/dy (x + y)) is 1: with one tag for both levels it is 2",
    program: program(({ input, procedure, derivative }) => {
      const sum = procedure("inner", [v, w], (a, b) => [value(a).add(value(b))]);
      const outer = procedure("outer", [v], (a) => [
        value(a).multiply(derivative(sum, { mode: "jvp", of: 0, wrt: 1 }, value(a), 3, 1)),
      ]);
      const [x, t] = [input("x"), input("t")];
      return [derivative(outer, { mode: "jvp", of: 0, wrt: 0 }, x, t)];
    }),
    parameters: [2, 1],
    wrong: {
      levels_confused: {
        part: "all",
        program: program(({ input }) => {
          const t = [input("x"), input("t")];
          return t.slice(1).map((each) => each.multiply(2));
        }),
      },
    },
    probe: { right: { results: [1] }, wrong: { results: [2] } },
  },
  {
    name: "derivative_through_a_branch",
    ...inner,
    clause: "10.8",
    note: "the procedure branches on its parameter: the derivative is of the branch that the point takes",
    faults: ["branch_decided_again", "derivative_is_constant"],
    program: program(({ input, buffer, procedure, derivative, if_ }) => {
      const bent = procedure("bent", [v], (a) => {
        const own = buffer(value(a));
        if_(
          value(a).less(3),
          () => own.update("multiply", own),
          () => own.update("multiply", 7),
        );
        return [own];
      });
      const [x, y, c] = [input("x"), input("y"), input("c")];
      const how = { mode: "vjp", of: 0, wrt: 0 } as const;
      return [derivative(bent, how, x, c), derivative(bent, how, y, c)];
    }),
    parameters: [2, 5, 3],
  },
];
