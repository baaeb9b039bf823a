import { integerIn } from "../../accumulators/index.ts";
import type { Execution, Model, Obligation } from "../../obligation.ts";
import { loopsText, positionText, readAccess } from "./access.ts";
import { accessOf, type Expected, type MapCase } from "./case.ts";

/** States that the places of a case's pieces do not overlap, each with itself and with the others. */
export function placesObligations(one: MapCase): readonly Obligation[] {
  const places = one.accesses.filter(
    ({ part, kind, site }) => part !== "tangents" && kind === "assemble" && site.startsWith("place"),
  );
  return places.flatMap((first, n) => places.slice(n).map((second) => apart(one, first, second)));
}

/** States that two indices write two elements: of one piece where they differ, of two pieces always. */
function apart(one: MapCase, first: Expected, second: Expected): Obligation {
  const isOne = first === second;
  const [place, other] = [readAccess(one, first), readAccess(one, second)];
  const names = [...one.symbols, ...first.loops.flatMap((_, n) => [`i${n}`, `i${n}_`])];
  const isSame = `(and true ${first.loops.map((_, n) => `(= i${n} i${n}_)`).join(" ")})`;
  const meet = `(= ${positionText(place)} ${positionText(other, "_")})`;
  const blind = { ...other, strides: other.strides.map((stride, n) => (n === 0 ? "0" : stride)) };
  return {
    id: `lowering/maps/${one.name}/${first.part}/${first.site}_apart${isOne ? "" : `_from_${second.site}`}`,
    statement: `The pieces of ${one.name} write no element twice (${first.site}, ${second.site}), at all extents.`,
    clause: "SEMANTICS §7",
    logic: "QF_NIA",
    scope: { kind: "operator", operator: one.name, shapes: "all of this rank" },
    tier: "everyday",
    declarations: names.map((name) => `(declare-const ${name} Int)`).join("\n"),
    hypotheses: [
      { name: "loops", formula: loopsText(first.loops) },
      { name: "other_loops", formula: loopsText(second.loops, "_") },
      ...(one.apart === undefined || !isOne ? [] : [{ name: "apart", formula: one.apart }]),
    ],
    goal: isOne ? `(=> ${meet} ${isSame})` : `(not ${meet})`,
    rlimit: 20_000_000,
    requiredCore: [],
    mutants: [
      {
        name: "does-not-move",
        fault: "the outer loop does not move the place.",
        goal: isOne
          ? `(=> (= ${positionText({ ...place, strides: ["0", ...place.strides.slice(1)] })} ${positionText(blind, "_")}) ${isSame})`
          : `(not (= ${positionText(place)} ${positionText({ ...other, offset: "0" }, "_")}))`,
        instead: [
          {
            name: "small",
            formula: `(and ${one.symbols.map((name) => `(<= 2 ${name} 6)`).join(" ")} ${one.small ?? "true"})`,
          },
        ],
        ask: names,
        execute: (model) => executed(one, first, second, model, names),
      },
    ],
    dependsOn: [],
    metaArgument:
      "The engines' own lowering was run at extents so far apart that its offsets and strides can be read as polynomials of them.",
  };
}

/** Looks where the right places are at a model's indices, and where the wrong ones are. */
function executed(
  { lower }: MapCase,
  first: Expected,
  second: Expected,
  model: Model,
  names: readonly string[],
): Execution {
  const values = Object.fromEntries(names.map((name) => [name, Number(integerIn(model, name))]));
  const isOne = first === second;
  const program = lower(first.part, values);
  const at = (expected: Expected, suffix: string, isWrong: boolean): number => {
    const { access } = accessOf(program, expected);
    const offset = isWrong && !isOne ? 0 : access.offset;
    return access.strides.reduce(
      (sum, stride, n) => sum + (isWrong && isOne && n === 0 ? 0 : stride) * (values[`i${n}${suffix}`] ?? 0),
      offset,
    );
  };
  const right = at(first, "", false) !== at(second, "_", false);
  const meets = at(first, "", isOne) === at(second, "_", true);
  return {
    showsFault: right && meets,
    told: `${JSON.stringify(values)}: the right places ${right ? "differ" : "are one"}, the wrong ones ${meets ? "meet" : "differ"}`,
  };
}
