import fc from "fast-check";
import type { StorageType } from "../../../reference/numerics/storage/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { Asked } from "../dialect.ts";
import { keptTensors, typesOf } from "../draws.ts";
import type { StorageFramework, StorageKind } from "../framework.ts";
import { answered, drawnLaw, type Held, held, type Law, listedLaw } from "../law.ts";
import { segmentsOf } from "../training.ts";
import type { Kept } from "../words.ts";

/** So many products of the greatest mantissas of so many bits need a 33rd bit, of one group. */
const beyond: readonly { readonly bits: number; readonly terms: number }[] = [
  { bits: 17, terms: 1 },
  { bits: 12, terms: 513 },
];

function greatest({ bits, terms }: (typeof beyond)[number]): Kept {
  const type: StorageType = { kind: "bfp", mantissaBits: bits, exponentBits: 8 };
  const codes = Array.from({ length: terms }, () => 2 ** (bits - 1) - 1);
  return { type, shape: [terms], codes, grids: [{ scale: 1, zero: 0 }] };
}

/** Holds if the sum is right, or refused. */
async function trueOrRefused(framework: StorageFramework, one: (typeof beyond)[number]): Promise<Held> {
  const tensor = greatest(one);
  const answer = await framework.ask("block_dot", { left: tensor, right: tensor });
  if (answer.kind === "refused") return held;
  if (answer.kind === "unsupported") return { kind: "declined", reason: answer.reason };
  const due = one.terms * (2 ** (one.bits - 1) - 1) ** 2;
  const isRight = answer.kind === "answered" && Math.abs(answer.value - due) <= 2 ** -22 * due;
  if (isRight) return held;
  const asked = `block_dot: ${one.terms} products of the mantissas ${2 ** (one.bits - 1) - 1}`;
  const said = answer.kind === "answered" ? answer.words : answer.what;
  return { kind: "broken", finding: { asked, answered: said, due: `${due}, or a refusal` } };
}

/** Cuts both tensors to the same length, and the grids to the groups that are left. */
function pairOf(left: Kept, right: Kept): Asked["block_dot"] {
  const count = Math.min(left.codes.length, right.codes.length);
  const cut = ({ type, codes, grids }: Kept): Kept => {
    const size = ("groupSize" in type ? type.groupSize : undefined) ?? count;
    const groups = Math.ceil(count / size);
    return { type, shape: [count], codes: codes.slice(0, count), grids: grids.slice(0, groups) };
  };
  return { left: cut(left), right: cut(right) };
}

const blocks = (has: readonly StorageKind[]): readonly StorageType[] => typesOf(has, ["bfp"]);

/** These laws state point 16: sums of products of blocks, whose integers are folded where a group ends. */
export const blockLaws: readonly Law[] = [
  drawnLaw(
    "a sum of products of blocks is near the exact one: each group's integers, times its power of two",
    {
      over: (has) => {
        const types = blocks(has);
        if (types.length === 0) return undefined;
        return fc.tuple(keptTensors(types), keptTensors(types)).map(([left, right]) => pairOf(left, right));
      },
      holds: (framework, asked) =>
        answered(framework, "block_dot", asked, (sum, breaks) => {
          // Mantissas have at most 8 bits here and exponents differ by at most 32, so float64 is exact.
          const segments = segmentsOf(asked);
          const exact = segments.reduce((total, one) => total + one.sum * one.scale, 0);
          const size = segments.reduce((total, one) => total + Math.abs(one.sum) * one.scale, 0);
          const far = (segments.length + 2) * 2 ** -24 * size;
          return Math.abs(sum - exact) <= far ? held : breaks(`${exact} ± ${far}`);
        }),
    },
  ),
  listedLaw(
    "a group's sum that needs a 33rd bit is right too, or refused",
    (has) => (has.includes("bfp") ? beyond : []),
    (framework, one) => trueOrRefused(framework, one),
  ),
  listedLaw(
    "sums whose integers 32 bits hold are answered",
    (has) => (has.includes("bfp") ? beyond.filter(({ terms }) => terms > 1) : []),
    (framework, { bits, terms }) => {
      const tensor = greatest({ bits, terms: terms - 1 });
      const due = (terms - 1) * at(tensor.codes, 0) ** 2;
      return answered(framework, "block_dot", { left: tensor, right: tensor }, (sum, breaks) =>
        Math.abs(sum - due) <= 2 ** -22 * due ? held : breaks(String(due)),
      );
    },
  ),
];
