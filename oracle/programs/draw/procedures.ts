import type { ProgramBuilder } from "../../../spec/program_builder/index.ts";
import { declareCustom } from "./custom.ts";
import type { ProgramProfile } from "./profile.ts";
import { has, type Procedures } from "./reach.ts";

/**
 * Declares the procedures that a random program may call; some return early, or draw, if the profile does.
 */
export function declareProcedures(builder: ProgramBuilder, profile: ProgramProfile): Procedures {
  const [returns, draws] = [has({ profile }, "return"), has({ profile }, "draw")];
  const { procedure, call, if_, for_, buffer, return_, draw } = builder;
  const pair = { kind: "reference", shape: [2] } as const;
  const counted = [
    { name: "n", kind: "value", shape: [] },
    { name: "w", ...pair },
  ] as const;
  const factors = [
    { name: "u", kind: "value", shape: [2] },
    { name: "v", kind: "value", shape: [2] },
  ] as const;
  return {
    grow: procedure("grow", [{ name: "v", ...pair }], (v) => {
      if ("isReference" in v) v.at(1).update("add", v.at(0));
      return [v];
    }),
    descend: procedure(
      "descend",
      counted,
      (n, w) => {
        if_(n, () => {
          if ("isReference" in w) w.update("multiply", n);
          call({ name: "descend", results: [] }, n.subtract(1), w);
        });
        return [];
      },
      [],
    ),
    ascend: procedure(
      "ascend",
      counted,
      (n, w) => {
        if_(n, () => {
          call({ name: "ascend", results: [] }, n.subtract(1), w);
          if ("isReference" in w) w.update("add", n);
        });
        return [];
      },
      [],
    ),
    smooth: procedure("smooth", [{ name: "u", kind: "value", shape: [2] }], (u) => {
      const b = buffer(u);
      b.at(0).update("multiply", u.sum({ axes: [0], keepdims: false }));
      return [b.multiply(u)];
    }),
    product: procedure("product", factors, (u, v) => [u.multiply(u).multiply(v)]),
    double: procedure("double", [{ name: "w", kind: "reference", shape: [2, 2] }], (w) => {
      if ("isReference" in w) w.update("add", w);
      return [];
    }),
    blend: procedure(
      "blend",
      [
        { name: "v", ...pair },
        { name: "w", ...pair },
      ],
      (v, w) => {
        if ("isReference" in v) v.update("add", w);
        if ("isReference" in w) w.update("multiply", v);
        return [v];
      },
    ),
    consume: procedure("consume", [{ name: "v", kind: "donated", shape: [2] }], (v) => {
      if ("isReference" in v) v.update("multiply", v);
      return [v];
    }),
    square: procedure("square", [{ name: "u", kind: "value", shape: [2] }], (u) => [u.multiply(u)]),
    seek: procedure("seek", [{ name: "w", ...pair }], (w) => {
      for_(2, (turn) => {
        if (!("isReference" in w)) return;
        w.at(turn).update("multiply", 2);
        if_(w.at(turn).less(0.5), () => (returns ? return_(w.multiply(w)) : w.update("multiply", w)));
      });
      return [w.multiply(3)];
    }),
    bent: procedure("bent", [{ name: "u", kind: "value", shape: [2] }], (u) => {
      const b = buffer(u);
      const total = u.sum({ axes: [0], keepdims: false });
      if_(total.less(0.5), () => (returns ? return_(u.multiply(u)) : b.update("multiply", u)));
      return [b.multiply(b).multiply(u)];
    }),
    advance: procedure(
      "advance",
      [
        { name: "w", ...pair },
        { name: "v", ...pair },
        { name: "u", kind: "value", shape: [2] },
      ],
      (w, v, u) => {
        const slope = w.multiply(u);
        if ("isReference" in v) v.update("add", slope);
        if ("isReference" in w) w.update("multiply", draws ? draw({ kind: "uniform" }, [2]) : v);
        return [w.multiply(v).add(slope)];
      },
    ),
    same: procedure("same", [{ name: "v", ...pair }], (v) => [v]),
    custom: declareCustom(builder, { profile }),
  };
}
