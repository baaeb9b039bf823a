import fc from "fast-check";
import { codeBits, type StorageType } from "../../../reference/numerics/storage/index.ts";
import type { Asked } from "../dialect.ts";
import { keptTensors, typesOf } from "../draws.ts";
import type { StorageFramework, StorageKind } from "../framework.ts";
import { answered, asDue, drawnLaw, type Held, held, type Law, listedLaw } from "../law.ts";
import type { Kept } from "../words.ts";

const kind: readonly StorageKind[] = ["sym_int32"];

/** It sums squares of the least code, the greatest product of two codes of so many bits. */
interface Sum {
  readonly bits: number;
  readonly terms: number;
}

/** The greatest number of terms whose sum fits 32 bits for any codes: ⌊(2³¹ − 1) / 2²ᵇ⁻²⌋. */
const last = (bits: number): number => Math.floor((2 ** 31 - 1) / 2 ** (2 * bits - 2));

const sums: readonly Sum[] = [4, 8, 12, 16].map((bits) => ({ bits, terms: Math.min(last(bits), 131_071) }));
const beyond: readonly Sum[] = [8, 12, 16].map((bits) => ({ bits, terms: last(bits) + 1 }));

function least({ bits, terms }: Sum): Kept {
  const type: StorageType = { kind: "sym_int32", bits };
  const codes = Array.from({ length: terms }, () => -(2 ** (bits - 1)));
  return { type, shape: [terms], codes, grids: [{ scale: 1, zero: 0 }] };
}

/** Holds if the framework sums correctly or refuses. */
async function trueOrRefused(framework: StorageFramework, sum: Sum): Promise<Held> {
  const tensor = least(sum);
  const answer = await framework.ask("dot", { left: tensor, right: tensor });
  if (answer.kind === "refused") return held;
  const due = sum.terms * 2 ** (2 * sum.bits - 2);
  const said = `${sum.terms} products of the codes ${-(2 ** (sum.bits - 1))}`;
  if (answer.kind === "unsupported") return { kind: "declined", reason: answer.reason };
  if (answer.kind === "answered" && answer.value.code === due) return held;
  const what = answer.kind === "answered" ? answer.words : answer.what;
  return { kind: "broken", finding: { asked: `dot: ${said}`, answered: what, due: `${due}, or a refusal` } };
}

/** These laws state point 7: sums of products of codes, where (2b − 2) + bitlen(N) ≤ 31. */
export const accumulatorLaws: readonly Law[] = [
  listedLaw(
    "as many products as 32 bits hold are added up exactly",
    (has) => (has.includes("sym_int32") ? sums : []),
    (framework, sum) =>
      answered(framework, "dot", { left: least(sum), right: least(sum) }, ({ code }, breaks) => {
        const due = sum.terms * 2 ** (2 * sum.bits - 2);
        return code === due ? held : breaks(String(due));
      }),
  ),
  listedLaw(
    "one product more is added up exactly too, or refused",
    (has) => (has.includes("sym_int32") ? beyond : []),
    trueOrRefused,
  ),
  drawnLaw("a sum of products is theirs, and its scale the product of the scales", {
    over: (has) => {
      const types = typesOf(has, kind);
      if (types.length === 0) return undefined;
      return fc
        .tuple(fc.constantFrom(...types), keptTensors(types), keptTensors(types))
        .map(([type, left, right]) => pairOf(type, left, right));
    },
    holds: (framework, pair) => asDue(framework, "dot", pair),
  }),
];

/** Cuts both tensors to at most two small codes, so that 32 bits hold the sum of their products. */
function pairOf(type: StorageType, left: Kept, right: Kept): Asked["dot"] {
  const count = Math.min(left.codes.length, right.codes.length, 2);
  const half = 2 ** (codeBits(type) - 2);
  const one = ({ codes, grids }: Kept): Kept => ({
    type,
    shape: [count],
    codes: codes.slice(0, count).map((code) => code % half),
    grids,
  });
  return { left: one(left), right: one(right) };
}
