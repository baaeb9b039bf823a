import type { Witness } from "../../../../oracle/hearing/index.ts";
import type { OperatorName } from "../../../../spec/composites/index.ts";
import type { Conventions, ReportSection } from "../../../../spec/wire/index.ts";

/** Operators whose answer a convention decides, where the mathematics leaves a choice. */
const deciding = {
  maximumAtTie: ["maximum", "minimum"],
  reluAtZero: ["relu"],
  maximumAtNaN: ["maximum", "minimum"],
  reluAtNaN: ["relu"],
} as const satisfies Partial<Record<keyof Conventions, readonly OperatorName[]>>;

/**
 * Says what the engine declared of the operator to blame, by which it was judged: the convention at ties and
 * kinks, accuracy, accumulation; also subnormal numbers where those are flushed.
 */
export function policiesOf(
  { description: { conventions, accuracy, accumulation } }: Pick<ReportSection, "description">,
  { blame: { op } }: Pick<Witness, "blame">,
): string[] {
  const bears = (name: keyof Conventions): boolean => {
    if (op === undefined) return false;
    if (name === "maximumAtTie" || name === "reluAtZero") return isAmong(deciding[name], op);
    if (name === "maximumAtNaN" || name === "reluAtNaN")
      return conventions[name] !== undefined && isAmong(deciding[name], op);
    if (name === "singularPoints") return conventions[name] === "reference";
    if (name === "compositeKinks") return conventions[name] === "own";
    return name === "subnormals" ? conventions[name] === "flushed" : false;
  };
  const ulps = op === undefined ? undefined : accuracy[op];
  const sums = op === undefined ? undefined : accumulation[op];
  return [
    ...names.filter(bears).map((name) => `${name}: ${conventions[name]}`),
    ...(ulps === undefined ? [] : [`accuracy of ${op}: ${ulps} ulp`]),
    ...(sums?.width === undefined ? [] : [`sums of ${op} are held in ${sums.width}`]),
    ...(sums?.order === "sequential" ? [`sums of ${op} go in order`] : []),
  ];
}

const names = [
  "maximumAtTie",
  "reluAtZero",
  "maximumAtNaN",
  "reluAtNaN",
  "compositeKinks",
  "subnormals",
  "singularPoints",
] as const;

function isAmong(operators: readonly OperatorName[], op: OperatorName): boolean {
  return operators.includes(op);
}
