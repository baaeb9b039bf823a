import type { ProgramBuilder } from "../../../spec/program_builder/index.ts";
import { happens, oneOf } from "../../random/index.ts";
import { type CustomProcedures, has, pair, pairReference, type Reach, type Writing } from "./reach.ts";

const one = (name: string) => ({ name, kind: "value", shape: [2] }) as const;
const place = (name: string) => ({ name, kind: "reference", shape: [2] }) as const;

/** Declares the procedures; those of statements that the profile lacks are never named. */
export function declareCustom(builder: ProgramBuilder, writing: Pick<Writing, "profile">): CustomProcedures {
  const { procedure, buffer, draw, custom } = builder;
  const rough = procedure("rough", [one("u")], (u) => {
    const isBig = u.less(0.5);
    const mask = has(writing, "draw") ? draw({ kind: "bernoulli", rate: 0.5 }, [2]).add(isBig) : isBig;
    return [u.multiply(mask).add(isBig), mask];
  });
  const bowed = procedure("bowed", [one("u"), one("m")], (u, m) => [u.multiply(u).multiply(m)]);
  return {
    rough,
    bowed,
    bowedInPlace: procedure("bowed_in_place", [place("u"), one("m")], (u, m) => [u.multiply(u).multiply(m)]),
    swelled: procedure("swelled", [place("v")], (v) => {
      if ("isReference" in v) v.update("multiply", v);
      return [];
    }),
    tripled: procedure("tripled", [one("u")], (u) => [u.multiply(u).multiply(1.5)]),
    taken: procedure("taken", [place("v"), one("u")], (v, u) => {
      const before = v.multiply(2);
      if ("isReference" in v) v.at(1).update("add", u.sum({ axes: [0], keepdims: false }));
      return [before];
    }),
    both: procedure("both", [one("v"), one("u")], (v, u) => [v.multiply(u), v.add(u.multiply(u))]),
    sheared: procedure("sheared", [one("u")], (u) => {
      const b = buffer(u);
      b.at(1).update("add", b.at(0));
      return [b];
    }),
    squared: procedure("squared", [one("u")], (u) => [u.multiply(u)]),
    own: has(writing, "custom") ? procedure("own", [one("u")], (u) => custom(rough, bowed, u)) : undefined,
  };
}

/** A function with a derivative of its own saves what is overwritten afterwards, or a copy of it. */
export function writeSaid(writing: Writing, reach: Reach): void {
  const { builder, procedures, random } = writing;
  const { rough, bowed, bowedInPlace, own } = procedures.custom;
  const b = pairReference(writing, reach);
  if (own !== undefined && happens(random, 1, 3)) {
    const along = pair(writing, reach);
    reach.values.push(builder.derivative(own, { mode: "vjp", of: 0, wrt: 0 }, b, along));
    return;
  }
  reach.values.push(...builder.custom(rough, happens(random, 1, 3) ? bowed : bowedInPlace, b));
  if (happens(random, 1, 2)) b.update("add", 0.5);
}

/** A location whose elements are saved is overwritten by a function with a derivative of its own. */
export function writeMarked(writing: Writing, reach: Reach): void {
  const { builder, procedures, random } = writing;
  const { swelled, tripled, taken, both } = procedures.custom;
  if (happens(random, 2, 3)) {
    const b = pairReference(writing, reach);
    if (happens(random, 1, 3)) reach.values.push(b.multiply(b));
    builder.custom(swelled, tripled, b);
    return;
  }
  const b = builder.buffer(pair(writing, reach));
  reach.values.push(...builder.custom(taken, both, b, pairReference(writing, reach)));
  reach.references.push(b);
}

/** A hook changes the cotangent that passes a value, which is used behind it and beside it. */
export function writeHooked(writing: Writing, reach: Reach): void {
  const { builder, procedures, random } = writing;
  const x = happens(random, 1, 2) ? pair(writing, reach) : pairReference(writing, reach);
  const hooked = builder.hook(x, oneOf(random, [procedures.custom.sheared, procedures.custom.squared]));
  if (has(writing, "retain") && happens(random, 1, 3)) hooked.retain();
  reach.values.push(hooked.multiply(x));
}
