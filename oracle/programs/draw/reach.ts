import type { Random } from "fast-check";
import type {
  ProgramBuilder,
  ProgramCounter,
  ProgramProcedure,
  ProgramReference,
  ProgramValue,
} from "../../../spec/program_builder/index.ts";
import {
  knownNumber,
  type StatementKind,
  seesTwice,
  type Transform,
  transformed,
  wholeView,
} from "../../../spec/programs/index.ts";
import { isSameShape, type Shape } from "../../../spec/shapes/index.ts";
import { oneOf } from "../../random/index.ts";
import type { ProgramProfile } from "./profile.ts";

/** A program being written may name these. */
export interface Reach {
  readonly values: ProgramValue[];
  readonly references: ProgramReference[];
  /** These are the persistent locations, which are among the references too. */
  readonly persistent: readonly ProgramReference[];
  /** These are the counters of the loops around, with their turns. */
  readonly counters: readonly { readonly counter: ProgramCounter; readonly times: number }[];
  readonly depth: number;
  readonly isInLoop: boolean;
}

/** Writing a program takes these: a source of choices, and a builder. */
export interface Writing {
  readonly random: Random;
  readonly profile: ProgramProfile;
  readonly builder: ProgramBuilder;
  readonly procedures: Procedures;
}

export interface Procedures {
  /** This one overwrites what it is given. */
  readonly grow: ProgramProcedure;
  /** This one overwrites both that it is given, by each other: they may be one location. */
  readonly blend: ProgramProcedure;
  /** This one is given a location for good, and overwrites it. */
  readonly consume: ProgramProcedure;
  /** These call themselves: one works on the way down, the other on the way up, behind the call. */
  readonly descend: ProgramProcedure;
  readonly ascend: ProgramProcedure;
  /** These are differentiated: with respect to one parameter, and to one of two. */
  readonly smooth: ProgramProcedure;
  readonly product: ProgramProcedure;
  /** This one overwrites the four elements that it is given. */
  readonly double: ProgramProcedure;
  /** This one takes a value, and may be given a location. */
  readonly square: ProgramProcedure;
  /** These may return before their end: one from a loop over a location, the other of a value. */
  readonly seek: ProgramProcedure;
  readonly bent: ProgramProcedure;
  /** This one overwrites two locations by each other, maybe with what it draws: a step of an optimiser. */
  readonly advance: ProgramProcedure;
  /** This one hands back the location that it is given. */
  readonly same: ProgramProcedure;
  /** These have a derivative that others say. */
  readonly custom: CustomProcedures;
}

/** Procedures of two elements, and those that say their derivatives. */
export interface CustomProcedures {
  /** It has another value than `bowed`, and saves a mask, drawn if draws are. */
  readonly rough: ProgramProcedure;
  /** These get an operand and the mask, and read the first as a copy or in place. */
  readonly bowed: ProgramProcedure;
  readonly bowedInPlace: ProgramProcedure;
  /** It overwrites what it is given; the other says another slope. */
  readonly swelled: ProgramProcedure;
  readonly tripled: ProgramProcedure;
  /** It overwrites what it is given, and has a result besides. */
  readonly taken: ProgramProcedure;
  readonly both: ProgramProcedure;
  /** These change a cotangent: by a matrix that is not symmetric, and by what passes. */
  readonly sheared: ProgramProcedure;
  readonly squared: ProgramProcedure;
  /** It calls the first with the derivative of the second, to be differentiated itself. */
  readonly own: ProgramProcedure | undefined;
}

/** Tells whether the profile has statements of that kind. */
export function has({ profile }: Pick<Writing, "profile">, kind: StatementKind): boolean {
  return profile.without?.includes(kind) !== true;
}

/** Picks a value in reach. */
export function anyValue({ builder, random }: Writing, { values }: Reach): ProgramValue {
  const [first, ...others] = values;
  return first === undefined ? builder.full({ shape: [], value: 1 }) : oneOf(random, [first, ...others]);
}

/** Picks a location in reach, or some view of one. */
export function anyReference(writing: Writing, reach: Reach): ProgramReference {
  const [first, ...others] = reach.references;
  return first === undefined
    ? writing.builder.buffer(anyValue(writing, reach))
    : oneOf(writing.random, [first, ...others]);
}

/** Makes a value of two elements. */
export function pair({ builder }: Writing, { values }: Reach): ProgramValue {
  const found = values.find(({ shape }) => isSameShape(shape, [2]));
  return found ?? builder.full({ shape: [2], value: 0.75 });
}

/** Makes a location of two elements. */
export function pairReference(writing: Writing, reach: Reach): ProgramReference {
  const [first, ...others] = reach.references.filter(({ shape }) => isSameShape(shape, [2]));
  return first === undefined
    ? writing.builder.buffer(pair(writing, reach))
    : oneOf(writing.random, [first, ...others]);
}

/** Sums the elements of a value in reach to a number. */
export function anyScalar(writing: Writing, reach: Reach): ProgramValue {
  const x = anyValue(writing, reach);
  return x.sum({ axes: axesOf(x.shape), keepdims: false });
}

/** Sees a location backwards along all its axes. */
export function backwards(shape: Shape): Transform {
  return {
    kind: "slice",
    starts: shape.map((extent) => extent - 1),
    sizes: shape,
    steps: shape.map(() => -1),
  };
}

/**
 * Sees a location otherwise. A view that sees some element twice is read at once, since nothing is written
 * through it.
 */
export function see({ values, references }: Reach, of: ProgramReference, how: Transform): void {
  const view = transformed(wholeView(of.shape), how, knownNumber);
  const seen = of.view(how);
  if (view.ok && view.value !== undefined && seesTwice(view.value)) values.push(seen.read());
  else references.push(seen);
}

function axesOf(shape: Shape): number[] {
  return shape.map((_, axis) => axis);
}
