import type { OperatorName } from "../../spec/composites/index.ts";
import { type Description, referenceConventions } from "../../spec/contract/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import type { Accumulation, Conventions, Limits } from "../../spec/wire/index.ts";

/**
 * Says in a sentence what an engine declares and is judged by: conventions unlike the reference's, accuracy
 * of operators, how it adds up and stores values, what it promises in part, if it repeats itself. Where it
 * declares nothing, defaults hold.
 */
export function declaration({
  conventions,
  accuracy,
  accumulation = {},
  limits,
  saved,
  slopes,
  repeatable,
}: Description): string {
  const parts = [
    ...conventionsDeclared(conventions),
    ...accuracyDeclared(accuracy),
    ...sumsDeclared(accumulation),
    ...limitsDeclared(limits),
    ...(saved === undefined ? [] : [`what its sweep reads is kept in ${saved}`]),
    ...(slopes === undefined ? [] : [`slopes: ${slopes}`]),
    ...(repeatable === undefined ? [] : [`repeatable: ${repeatable}`]),
  ];
  return parts.length === 0 ? "declares nothing: judged by the defaults" : `declares ${parts.join("; ")}`;
}

function conventionsDeclared(conventions: Conventions): string[] {
  const own = conventionNames.filter((name) => conventions[name] !== referenceConventions[name]);
  return own.map((name) => `${name}: ${conventions[name]}`);
}

const conventionNames = [
  "maximumAtTie",
  "reluAtZero",
  "compositeKinks",
  "subnormals",
  "zeros",
  "maximumAtNaN",
  "reluAtNaN",
  "zeroCotangents",
  "singularPoints",
] as const;

function accuracyDeclared(accuracy: Description["accuracy"]): string[] {
  const errors = Object.entries(accuracy);
  const [first, ...others] = errors;
  if (first === undefined) return [];
  const [worst, ulps] = others.reduce((a, b) => (b[1] > a[1] ? b : a), first);
  return [`accuracy of ${counted(errors.length, "operator")}, at worst ${ulps} ulp (${worst})`];
}

/** Names up to three operators that are promised in part, and counts more. */
function limitsDeclared({ every, ...operators }: Limits = {}): string[] {
  const names = Object.keys(operators);
  const which = names.length > 3 ? `${names.length} operators` : names.join(", ");
  return [
    ...(names.length === 0 ? [] : [`${which} promised in part`]),
    ...(every === undefined ? [] : [`every tensor has ${Object.keys(every).join(" and ")} within bounds`]),
  ];
}

/** Groups operators that add up alike. */
function sumsDeclared(accumulation: Partial<Readonly<Record<OperatorName, Accumulation>>>): string[] {
  const alike = new Map<string, string[]>();
  for (const [op, { width, order }] of Object.entries(accumulation)) {
    const how = [
      order === "sequential" ? ["in order"] : [],
      width === undefined ? [] : [`in ${width}`],
    ].flat();
    const key = how.join(", ") || "in any order";
    alike.set(key, [...(alike.get(key) ?? []), op]);
  }
  return [...alike].map(([how, ops]) =>
    ops.length > 2 ? `sums of ${ops.length} operators ${how}` : `sums of ${ops.join(" and ")} ${how}`,
  );
}
