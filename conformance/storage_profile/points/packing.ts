import { codeBits, pack } from "../../../reference/numerics/storage/index.ts";
import { keptTensors, packedKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { asDue, drawnLaw, type Law, listedLaw } from "../law.ts";
import type { Kept } from "../words.ts";

const tensors = (has: readonly StorageKind[]) => {
  const types = typesOf(has, packedKinds);
  return types.length === 0 ? undefined : keptTensors(types);
};

const unit = { scale: 1, zero: 0 };
const misfits: readonly Kept[] = [
  { type: { kind: "sym", bits: 4 }, shape: [2], codes: [7, 8], grids: [unit] },
  { type: { kind: "sym", bits: 4 }, shape: [1], codes: [-9], grids: [unit] },
  { type: { kind: "asym", bits: 4 }, shape: [1], codes: [16], grids: [unit] },
  { type: { kind: "asym", bits: 4 }, shape: [1], codes: [-1], grids: [unit] },
];

/** These laws state point 2: codes packed into bytes. */
export const packingLaws: readonly Law[] = [
  drawnLaw("codes are packed from the lowest bit on, into as few bytes as hold them", {
    over: tensors,
    holds: (framework, tensor) => asDue(framework, "pack", { tensor }),
  }),
  drawnLaw("bytes are unpacked to the codes that were packed, signs extended", {
    over: tensors,
    holds: (framework, { type, codes }) => {
      const packed = pack(codes, codeBits(type), type.kind !== "asym");
      const bytes = packed.ok ? packed.value : new Uint8Array();
      return asDue(framework, "unpack", { type, count: codes.length, packed: bytes });
    },
  }),
  listedLaw(
    "a code that the bits do not hold is refused",
    (has) => misfits.filter(({ type }) => has.includes(type.kind)),
    (framework, tensor) => asDue(framework, "pack", { tensor }),
  ),
];
