import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { truthOf } from "../../oracle/truth/case_truth.ts";
import { referenceStandard } from "../../oracle/truth/standard/index.ts";
import type { Truth } from "../../oracle/truth/truth.ts";
import type { Judgement } from "../../oracle/truth/verdicts/component.ts";
import { type DataType, formats, nodeId } from "../../spec/index.ts";
import { type Algorithm, type Answer, floatWith, type Row } from "./algorithms/algorithm.ts";
import { type Drawn, drawQuestion } from "./draw.ts";

/** A number of an answer lies outside its bound. */
export interface Accusation {
  readonly drawn: Drawn;
  readonly part: string;
  readonly element: number;
  readonly answer: number;
  readonly expected: string;
  readonly bound: number;
}

/** One algorithm had these results. */
export interface Outcome {
  readonly counts: Record<Judgement, number>;
  readonly cases: number;
  /** This many cases have a number outside. */
  readonly accused: number;
  /** These are the first accusations. */
  readonly accusations: readonly Accusation[];
}

/** A campaign ends when one of these is reached. */
export interface CampaignOrders {
  readonly seed: number;
  /** It ends when this many components have been judged. */
  readonly components: number;
  /** It ends when this many cases have been asked. */
  readonly cases: number;
  /** It ends when this many cases had a number outside. */
  readonly accusations?: number;
}

/** Asks an algorithm random questions. The result depends on the orders alone. */
export function campaign(
  algorithm: Algorithm,
  dtype: "float64" | "float32",
  { components, cases, seed, accusations: wanted = Number.POSITIVE_INFINITY }: CampaignOrders,
): Outcome {
  const random = new Random(xoroshiro128plus(seed));
  const float = floatWith(formats[dtype].round);
  const counts = { within: 0, outside: 0, undecided: 0 };
  const accusations: Accusation[] = [];
  let [asked, accused] = [0, 0];
  while (counts.within + counts.outside < components && asked < cases && accused < wanted) {
    const drawn = drawQuestion(random, algorithm.composite);
    const truth = truthOf(drawn.case, referenceStandard(dtype));
    const before = counts.outside;
    for (const found of judged(drawn, algorithm.answer(float, drawn.question), truth, counts)) {
      if (accusations.length < SHOWN) accusations.push(found);
    }
    asked += 1;
    if (counts.outside > before) accused += 1;
  }
  return { counts, cases: asked, accused, accusations };
}

/** At most this many accusations are kept to be shown. */
const SHOWN = 3;

function judged(
  drawn: Drawn,
  { value, tangent, cotangents }: Answer,
  truth: Truth,
  counts: Record<Judgement, number>,
): Accusation[] {
  const id = nodeId(drawn.question.operands.length);
  const parts: readonly (readonly [string, Row, ReturnType<Truth["value"]>])[] = [
    ["value", value, truth.value(id)],
    ["tangent", tangent, truth.tangent(id)],
    ...cotangents.map((bar, place) => [`cotangent ${place}`, bar, truth.cotangent(nodeId(place))] as const),
  ];
  return parts.flatMap(([part, answers, components]) => {
    if (answers.length !== components.length) throw new Error(`${part}: ${answers.length} numbers`);
    return components.flatMap((component, element): Accusation[] => {
      const answer = answers[element] ?? Number.NaN;
      const judgement = component.judge(answer);
      counts[judgement] += 1;
      if (judgement !== "outside") return [];
      return [{ drawn, part, element, answer, expected: component.allowed, bound: component.bound }];
    });
  });
}

/** Algorithms are asked in these precisions. */
export const precisions: readonly ("float64" | "float32")[] = [
  "float64",
  "float32",
] as const satisfies readonly DataType[];
