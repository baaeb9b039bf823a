import { expect } from "vitest";
import { type Algebra, checkProgram, type Program, type Shape } from "../../../spec/index.ts";
import { type Rational, rational, rationalOf } from "../../algebras/rational.ts";
import type { Tensor } from "../../tensor.ts";
import { Session } from "../session.ts";

/** Elements by the name of what they are given to. */
export type Named<S> = Readonly<Record<string, readonly S[]>>;

const field = rational.levels.field ?? expect.unreachable("the rationals are a field");

/** Returns a fraction. */
export function q(numerator: number, denominator = 1): Rational {
  return rationalOf(BigInt(numerator), BigInt(denominator));
}

export const plus: (x: Rational, y: Rational) => Rational = field.add;
export const times: (x: Rational, y: Rational) => Rational = field.multiply;
export const minus = (x: Rational, y: Rational): Rational => plus(x, field.negative(y));

/** Locations with these names begin at 1: they are empty products. */
const ones = /(^|\.)(p1|p2|fallen)$/;

/** Returns the contents that a program begins with: as given, else 0, and 1 for what is a product. */
export function contentsOf<S, B>({ levels }: Algebra<S, B>, program: Program, given: Named<S>): Tensor<S>[] {
  const semiring = levels.semiring ?? expect.unreachable("no numbers");
  const known = new Map(Object.entries(given));
  return program.state.map(({ name, shape }) => {
    const begin = semiring.literal(ones.test(name) ? 1 : 0);
    const size = shape.reduce((product, extent) => product * extent, 1);
    return { shape, data: known.get(name) ?? Array.from({ length: size }, () => begin) };
  });
}

/** Orders what a call gives as the program's inputs are. */
export function argumentsOf<S>(program: Program, given: Named<S>): Tensor<S>[] {
  const known = new Map(Object.entries(given));
  return (program.procedures[0]?.parameters ?? []).map(
    ({ name, shape }): { shape: Shape; data: readonly S[] } => ({
      shape,
      data: known.get(name) ?? expect.unreachable(`nothing is given for ${name}`),
    }),
  );
}

/** Returns what is in every location after each of these calls, and behind `result` what the call gave. */
export function afterCalls<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  state: Named<S>,
  calls: readonly Named<S>[],
): Map<string, readonly S[]>[] {
  expect(checkProgram(JSON.parse(JSON.stringify(program)))).toEqual({ ok: true, value: program });
  const session = new Session(algebra, program, {
    state: contentsOf(algebra, program, state),
    environment: new Map(),
    generator: { key: [0, 0], drawn: 0 },
  });
  return calls.map((given) => {
    const call = session.call(argumentsOf(program, given));
    if (!call.ok) throw new Error(JSON.stringify(call.error));
    const { state: held, results } = call.value;
    const left = program.state.map(({ name }, i): [string, readonly S[]] => [name, held[i]?.data ?? []]);
    return new Map([...left, ["result", results[0]?.data ?? []]]);
  });
}

/** One location along the calls, as text. */
export function pathOf(
  program: Program,
  state: Named<Rational>,
  calls: readonly Named<Rational>[],
  location = "x",
): string[] {
  return afterCalls(rational, program, state, calls).map((left) =>
    (left.get(location) ?? expect.unreachable(`no ${location}`)).map(rational.format).join(" "),
  );
}

export function texts(...elements: readonly Rational[]): string {
  return elements.map(rational.format).join(" ");
}
