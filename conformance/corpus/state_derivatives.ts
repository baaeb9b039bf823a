import { asked, byValue, formula, pullback, type StateText, value, vector, wrongly } from "./state_text.ts";

const v = byValue("v");

const inner = {
  refuse: "may",
  why: "the procedure that is differentiated overwrites what the sweep of its own derivative needs",
} as const;

/** Vectors of derivatives inside programs: of procedures with own memory, and of other derivatives. */
export const derivatives: readonly StateText[] = [
  vector("derivative_as_a_value 10.8: derivative_is_constant", {
    note: "g = d(v³) at x, times y: g depends on x, and has a derivative of its own",
    ...asked([2, 3], ({ input, procedure, derivative }) => {
      const cube = formula(procedure, "cube", ["v"], (a) => [a.multiply(a).multiply(a)]);
      const [x, c] = [input("x"), input("c")];
      return [derivative(cube, pullback, x, c)];
    }),
  }),
  vector("derivative_forward 10.8: derivative_is_constant derivative_by_the_first", {
    note: "the derivative of a quotient by its second parameter, along a tangent: the first is captured",
    ...asked([3, 2, 5], ({ input, procedure, derivative }) => {
      const ratio = formula(procedure, "ratio", ["v", "w"], (a, b) => [a.divide(b)]);
      const [x, y, t] = [input("x"), input("y"), input("t")];
      return [derivative(ratio, { mode: "jvp", of: 0, wrt: 1 }, x, y, t)];
    }),
  }),
  vector("derivative_of_the_second_result 10.8: derivative_of_the_first_result derivative_is_constant", {
    note: "the procedure has two results, and the derivative is of the second",
    ...asked([3, 2, 5], ({ input, procedure, derivative }) => {
      const both = formula(procedure, "both", ["v", "w"], (a, b) => [a.add(b), a.multiply(a).multiply(b)]);
      const [x, y, c] = [input("x"), input("y"), input("c")];
      return [derivative(both, { mode: "vjp", of: 1, wrt: 0 }, x, y, c)];
    }),
  }),
  vector("derivative_of_a_loop_in_place 10.8: loop_one_turn_short derivative_is_constant", {
    ...inner,
    note: "the derivative of a procedure that squares a location of its own twice: v⁴",
    ...asked([2, 3], ({ input, buffer, procedure, derivative, for_ }) => {
      const fourth = procedure("fourth", [v], (a) => {
        const own = buffer(value(a));
        for_(2, () => own.update("multiply", own));
        return [own];
      });
      const [x, c] = [input("x"), input("c")];
      return [derivative(fourth, pullback, x, c)];
    }),
    probe: { right: { results: [96], cotangents: [144, 32] } },
  }),
  vector("point_of_a_derivative_is_overwritten 10.5: saved_value_not_kept derivative_is_constant", {
    note: "the derivative was taken at a location that is overwritten afterwards: its own derivative needs the point as it was",
    ...asked([2, 3], ({ input, buffer, procedure, derivative }) => {
      const cube = formula(procedure, "cube", ["v"], (a) => [a.multiply(a).multiply(a)]);
      const a = buffer(input("x"));
      const g = derivative(cube, pullback, a, input("c"));
      a.write(g);
      return [a.multiply(g)];
    }),
  }),
  vector("derivative_in_a_loop 10.8: derivative_is_constant loop_one_turn_short", {
    note: "three steps of descent in place, each by the derivative at what the one before has left",
    ...asked([5, 2, 0.25], ({ input, buffer, procedure, derivative, for_ }) => {
      const loss = formula(procedure, "loss", ["v", "w"], (a, b) => [a.subtract(b).multiply(a.subtract(b))]);
      const [x, target, rate] = [input("x"), input("target"), input("rate")];
      const a = buffer(x);
      for_(3, () => {
        const g = derivative(loss, pullback, a, target, 1);
        a.update("subtract", rate.multiply(g));
      });
      return [a];
    }),
    probe: { right: { results: [2.375], cotangents: [0.125, 0.875, -4.5] } },
  }),
  vector("derivative_of_a_derivative 10.8: derivative_is_constant", {
    note: "a procedure has a derivative in it, and its derivative is taken: d²(v³) = 6v, with a third by the sweep",
    ...asked([2, 3], ({ input, procedure, derivative }) => {
      const cube = formula(procedure, "cube", ["v"], (a) => [a.multiply(a).multiply(a)]);
      const slope = formula(procedure, "slope", ["v", "w"], (a, b) => [
        derivative(cube, { mode: "jvp", of: 0, wrt: 0 }, a, b),
      ]);
      const [x, c] = [input("x"), input("c")];
      return [derivative(slope, pullback, x, 1, c)];
    }),
    probe: { right: { results: [36], cotangents: [18, 12] } },
  }),
  vector("tangents_of_two_levels 10.8", {
    note: "d/dx (x · d/dy (x + y)) is 1: with one tag for both levels it is 2",
    ...asked([2, 1], ({ input, procedure, derivative }) => {
      const sum = formula(procedure, "inner", ["v", "w"], (a, b) => [a.add(b)]);
      const outer = formula(procedure, "outer", ["v"], (a) => [
        a.multiply(derivative(sum, { mode: "jvp", of: 0, wrt: 1 }, a, 3, 1)),
      ]);
      const [x, t] = [input("x"), input("t")];
      return [derivative(outer, { mode: "jvp", of: 0, wrt: 0 }, x, t)];
    }),
    ...wrongly("all", "levels_confused", ({ input }) => {
      const t = [input("x"), input("t")];
      return t.slice(1).map((each) => each.multiply(2));
    }),
    probe: { right: { results: [1] }, wrong: { results: [2] } },
  }),
  vector("derivative_through_a_branch 10.8: branch_decided_again derivative_is_constant", {
    ...inner,
    note: "the procedure branches on its parameter: the derivative is of the branch that the point takes",
    ...asked([2, 5, 3], ({ input, buffer, procedure, derivative, if_ }) => {
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
      return [derivative(bent, pullback, x, c), derivative(bent, pullback, y, c)];
    }),
  }),
];
