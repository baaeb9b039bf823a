import { type Description, referenceConventions } from "../../spec/contract/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import type { Accumulation, Conventions } from "../../spec/wire/index.ts";

/**
 * What an engine declares of its numbers, in a sentence: the conventions that are not the reference's, how accurate its
 * operators are, how they add up, how they keep values for the sweep. By these it was judged, and by the defaults where it declares nothing.
 */
export function declaration({ conventions, accuracy, accumulation = {}, saved }: Description): string {
  const parts = [
    ...conventionsDeclared(conventions),
    ...accuracyDeclared(accuracy),
    ...sumsDeclared(accumulation),
    ...(saved === undefined ? [] : [`what its sweep reads is kept in ${saved}`]),
  ];
  return parts.length === 0 ? "declares nothing: judged by the defaults" : `declares ${parts.join("; ")}`;
}

function conventionsDeclared(conventions: Conventions): string[] {
  const own = conventionNames.filter((name) => conventions[name] !== referenceConventions[name]);
  return own.map((name) => `${name}: ${conventions[name]}`);
}

const conventionNames = ["maximumAtTie", "reluAtZero", "compositeKinks", "subnormals", "zeros"] as const;

function accuracyDeclared(accuracy: Description["accuracy"]): string[] {
  const errors = Object.entries(accuracy);
  const [first, ...others] = errors;
  if (first === undefined) return [];
  const [worst, ulps] = others.reduce((a, b) => (b[1] > a[1] ? b : a), first);
  return [`accuracy of ${errors.length} operators, at worst ${ulps} ulp (${worst})`];
}

/** Operators that add up alike are told together. */
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
