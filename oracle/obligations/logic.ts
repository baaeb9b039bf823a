import type { Obligation } from "./obligation.ts";
import { type Script, scriptsOf } from "./script.ts";
import { readSExpressions, type SExpression } from "./solve/index.ts";

/** A script uses features, which its logic must offer. */
type Feature =
  | "quantifiers"
  | "arrays"
  | "functions"
  | "bit vectors"
  | "floats"
  | "integers"
  | "reals"
  | "products";

/** SMT-LIB names these logics; others are of no use here. Source: https://smt-lib.org/logics.shtml. */
const standard: readonly string[] = [
  ...["QF_UF", "QF_LIA", "QF_NIA", "QF_LRA", "QF_NRA", "QF_LIRA", "QF_NIRA", "QF_BV", "QF_FP", "QF_AX"],
  ...["QF_UFLIA", "QF_UFNIA", "QF_UFLRA", "QF_UFNRA", "QF_UFBV", "QF_UFFP", "QF_ALIA", "QF_AUFLIA"],
  ...["QF_AUFNIA", "QF_ABV", "QF_AUFBV", "QF_BVFP", "QF_FPLRA", "QF_BVFPLRA", "QF_ABVFP", "QF_ABVFPLRA"],
  ...["UF", "LIA", "NIA", "LRA", "NRA", "BV", "FP", "UFLIA", "UFNIA", "UFLRA", "UFNRA", "UFBV", "AUFLIA"],
  ...["BVFP", "FPLRA", "BVFPLRA", "AUFLIRA", "AUFNIRA"],
];

/** The general logic covers what no standard one does. */
const GENERAL = "ALL";

/** These sorts and operations belong to a theory. */
const atoms: Readonly<Partial<Record<string, Feature>>> = {
  forall: "quantifiers",
  exists: "quantifiers",
  Array: "arrays",
  BitVec: "bit vectors",
  FloatingPoint: "floats",
  Float16: "floats",
  Float32: "floats",
  Float64: "floats",
  RoundingMode: "floats",
  Int: "integers",
  Real: "reals",
  "declare-sort": "functions",
};

/** Finds the features that a script's commands use. Text that cannot be read uses none; others refuse it. */
export function featuresOf(text: string): ReadonlySet<Feature> {
  const read = readSExpressions(text);
  const found = new Set<Feature>();
  const constants = new Set<string>();
  for (const command of read.ok ? read.value : []) {
    if (typeof command === "string") continue;
    const [head, name, parameters, , body] = command;
    if (head === "declare-fun" && Array.isArray(parameters) && parameters.length > 0) found.add("functions");
    if (head === "define-fun" && typeof name === "string" && Array.isArray(parameters)) {
      if (parameters.length === 0 && body !== undefined && isConstant(body, constants)) constants.add(name);
    }
    collect(command, found, constants);
  }
  return found;
}

/** Adds what an expression uses; it keeps a stack of its own, since terms are deep. */
function collect(command: SExpression, found: Set<Feature>, constants: ReadonlySet<string>): void {
  const waiting: SExpression[] = [command];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") {
      const feature = atoms[next];
      if (feature !== undefined) found.add(feature);
      continue;
    }
    if (isProduct(next, constants)) found.add("products");
    for (const part of next) waiting.push(part);
  }
}

/** Tells whether two factors, or a divisor, are not numbers. */
function isProduct([head, ...operands]: readonly SExpression[], constants: ReadonlySet<string>): boolean {
  const isOpen = (operand: SExpression): boolean => !isConstant(operand, constants);
  if (head === "*") return operands.filter(isOpen).length > 1;
  return (head === "/" || head === "div" || head === "mod") && operands.slice(1).some(isOpen);
}

/** Tells whether a term is a number: a literal, a name for one, or one made of some. */
function isConstant(term: SExpression, constants: ReadonlySet<string>): boolean {
  if (typeof term === "string") return /^\d+(\.\d+)?$/.test(term) || constants.has(term);
  const [head, ...operands] = term;
  const isArithmetic = typeof head === "string" && ["+", "-", "*", "/"].includes(head);
  return isArithmetic && operands.every((operand) => isConstant(operand, constants));
}

/** Finds the smallest standard logic with these features, or `ALL` where there is none. */
export function leastLogic(features: ReadonlySet<Feature>): string {
  const wanted = nameOf(features);
  if (standard.includes(wanted)) return wanted;
  const wider = standard.filter((logic) => missingIn(logic, features).length === 0);
  return wider.toSorted((a, b) => a.length - b.length)[0] ?? GENERAL;
}

function nameOf(features: ReadonlySet<Feature>): string {
  const numbers = [...(features.has("integers") ? "I" : ""), ...(features.has("reals") ? "R" : "")].join("");
  const theories = [
    features.has("arrays") ? "A" : "",
    features.has("functions") ? "UF" : "",
    features.has("bit vectors") ? "BV" : "",
    features.has("floats") ? "FP" : "",
    numbers === "" ? "" : `${features.has("products") ? "N" : "L"}${numbers}A`,
  ].join("");
  return `${features.has("quantifiers") ? "" : "QF_"}${theories === "" ? "UF" : theories}`;
}

/** Lists the features that a logic lacks. */
function missingIn(logic: string, features: ReadonlySet<Feature>): readonly Feature[] {
  if (logic === GENERAL) return [];
  const [, quantifierFree, arrays, functions, words, floats, degree, integers, reals] =
    /^(QF_)?(AX?)?(UF)?(BV)?(FP)?(?:([LN])(I)?(R)?A)?$/.exec(logic) ?? [];
  const offered: Readonly<Record<Feature, boolean>> = {
    quantifiers: quantifierFree === undefined,
    arrays: arrays !== undefined,
    functions: functions !== undefined,
    "bit vectors": words !== undefined,
    floats: floats !== undefined,
    integers: integers !== undefined,
    reals: reals !== undefined,
    products: degree === "N",
  };
  return [...features].filter((feature) => !offered[feature]);
}

/**
 * Lists what is wrong with the logics of an obligation's scripts: one is not standard, or lacks what the
 * script uses, or is `ALL` where a standard one would do. A solver picks its strategy by the logic, and may
 * refuse what is not in it.
 */
export function faultsOfLogic(obligation: Obligation): readonly string[] {
  return scriptsOf(obligation).flatMap(faultsOfScript);
}

function faultsOfScript({ name, logic, question }: Script): readonly string[] {
  if (logic !== GENERAL && !standard.includes(logic))
    return [`${name} names the logic ${logic}, which is no standard one`];
  const features = featuresOf(question);
  const least = leastLogic(features);
  if (logic === GENERAL && least !== GENERAL)
    return [`${name} names the logic ALL, where ${least} is enough`];
  const missing = missingIn(logic, features);
  return missing.length === 0
    ? []
    : [`${name} uses ${missing.join(", ")}, which ${logic} lacks: ${least} has it`];
}
