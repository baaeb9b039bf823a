import { type Dual, dual } from "../../../reference/index.ts";
import { type PlantedRule, plantedRules } from "../../../reference/operators/planted/index.ts";
import type { NeedOf, PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import type { Algebra, Need } from "../../../spec/shapes/index.ts";
import { type Forward, rightForward } from "./sides.ts";

/** A fault is a wrong variant of an operator's pullback, or of the way of tangents through it. */
export type Fault<N extends Need, A> =
  | (PlantedRule<N, A> & { readonly forward?: never })
  | (WrongForward & { readonly vjp?: never });

/** Tangents go through `forward` in a wrong way. */
interface WrongForward {
  readonly name: string;
  readonly says: string;
  readonly forward: Forward;
}

/** Lists the faults of a primitive. Each is tried at every use, and planted where it shows. */
export function faultsOf<K extends PrimitiveName>(
  op: K,
): readonly Fault<NeedOf[K], PrimitiveAttributes[K]>[] {
  const planted: readonly PlantedRule<NeedOf[K], PrimitiveAttributes[K]>[] = plantedRules[op];
  const forward = wrongForwards[op];
  return [...(forward ? [forward] : []), ...planted.filter(({ unasked }) => unasked === undefined)];
}

/** Literals have a tangent of 1, as if they were inputs. */
const movingLiterals: WrongForward = {
  name: "moves-literals",
  says: "has a tangent of 1 for every literal",
  forward: { ...rightForward, dual: movingDual },
};

function movingDual<S, B>(base: Algebra<S, B>): Algebra<Dual<S>, B> {
  const right = dual(base);
  const { semiring } = base.levels;
  const moving = right.levels.semiring;
  if (semiring === undefined || moving === undefined) return right;
  const literal = (x: number): Dual<S> => ({ x: semiring.literal(x), xDot: semiring.one });
  const wrong = { ...moving, literal, one: literal(1), zero: literal(0) };
  return { ...right, levels: { ...right.levels, semiring: wrong } };
}

/** Δ is differentiated as if it were an input. */
const movingEnvironment: WrongForward = {
  name: "moves-environment",
  says: "has tangents in the environment",
  forward: { ...rightForward, environmentMoves: true },
};

/** Operators without operands have no pullback to plant faults in. */
const wrongForwards: Readonly<Partial<Record<PrimitiveName, WrongForward>>> = {
  constant: movingEnvironment,
  full: movingLiterals,
  iota: movingLiterals,
  bernoulli_mask: movingLiterals,
};
