import type {
  NeedOf,
  NoAttributes,
  PrimitiveAttributes,
  PrimitiveName,
} from "../../../spec/operators/index.ts";
import type { Levels, Need } from "../../../spec/shapes/index.ts";
import { type Tensor, tensor } from "../../tensor.ts";
import { binary, type Pullback, type Rule, unary } from "../rule.ts";

/** A wrong pullback of an operator, beside the right `forward`. */
export interface PlantedRule<N extends Need, A> {
  /** The name is unique for its operator, and part of the names of scripts. */
  readonly name: string;
  /** It says what is wrong, in a few words that follow the operator's name. */
  readonly says: string;
  readonly vjp: Rule<N, A>["vjp"];
  /** Why obligations do not ask it, where they do not: then the law over formal numbers refutes it alone. */
  readonly unasked?: string;
}

/** The table has, for each primitive, the mistakes one makes. Obligations try them in this order. */
export type PlantedRules = {
  readonly [K in PrimitiveName]: readonly PlantedRule<NeedOf[K], PrimitiveAttributes[K]>[];
};

/** Reason enough for {@link PlantedRule.unasked}. */
export const ENOUGH = "at the uses where it is a mistake, another one has scripts already";

type Slope<N extends Need> = <S, B>(a: Levels<S, B>[N], x: S, c: S) => S;
type SlopeOfTwo<N extends Need> = <S, B>(a: Levels<S, B>[N], x: S, y: S, c: S) => S;

/** Plants a wrong derivative of an elementwise operator. */
export function slope<N extends Need>(
  name: string,
  says: string,
  bar: Slope<N>,
): PlantedRule<N, NoAttributes> {
  return { name, says, vjp: unary<N>((_a, x) => x, bar).vjp };
}

/** Wrong derivatives of an elementwise operator of two operands. */
export function slopes<N extends Need>(
  name: string,
  says: string,
  xBar: SlopeOfTwo<N>,
  yBar: SlopeOfTwo<N>,
): PlantedRule<N, NoAttributes> {
  return { name, says, vjp: binary<N>((_a, x) => x, xBar, yBar).vjp };
}

/** Plants cotangents with their elements last first. */
export function turned<N extends Need, A>(right: Rule<N, A>): PlantedRule<N, A> {
  return rearranged(right, "turns-round", "has its cotangents last first", (bars) =>
    bars.map((bar) => bar && { shape: bar.shape, data: bar.data.toReversed() }),
  );
}

/** Cotangents of the operands' shapes that hold the result's from the first on, round and round. */
export function unmoved<A>(): PlantedRule<"additive", A> {
  return {
    name: "moves-nothing",
    says: "leaves the cotangents where they stand",
    vjp: ({ operands, algebra }, c) =>
      operands.map(({ shape }) =>
        tensor(shape, (position) => c.data[position % Math.max(c.data.length, 1)] ?? algebra.zero),
      ),
  };
}

/** Plants the cotangent that came last, where several come to one element. */
export function overwriting<A>(right: Rule<"additive", A>): PlantedRule<"additive", A> {
  return {
    name: "overwrites",
    says: "keeps the last of several cotangents",
    vjp: (application, c) =>
      right.vjp({ ...application, algebra: { ...application.algebra, add: (_x, y) => y } }, c),
  };
}

/** The operands themselves instead of cotangents: a fault where there is no cotangent too. */
export function operandsThemselves<N extends Need, A>(): PlantedRule<N, A> {
  return {
    name: "returns-operands",
    says: "returns its operands for cotangents",
    vjp: ({ operands }) => operands,
  };
}

/** Plants the cotangent itself for the first operand, where none is to pass. */
export function passing<N extends Need>(): PlantedRule<N, NoAttributes> {
  return {
    name: "passes-cotangent",
    says: "passes the cotangent on",
    vjp: ({ operands }, c) => operands.map((_, place) => (place === 0 ? c : undefined)),
  };
}

/** Plants a rule that makes other cotangents of the right ones, the result's, and the operands. */
export function rearranged<N extends Need, A>(
  right: Rule<N, A>,
  name: string,
  says: string,
  arrange: <S>(bars: Pullback<S>, c: Tensor<S>, operands: readonly Tensor<S>[]) => Pullback<S>,
): PlantedRule<N, A> {
  return {
    name,
    says,
    vjp: (application, c) => arrange(right.vjp(application, c), c, application.operands),
  };
}
