import { ok } from "../../spec/shapes/index.ts";
import { rulesOnOperands } from "./reverse.ts";
import { saving } from "./saving.ts";
import { type SystemParts, type TapeSystem, tapeSystem } from "./system.ts";

/** Writes down the operands of every node, as they are. */
export const keepOperands: SystemParts["keep"] = (taking) =>
  ok(saving(taking, rulesOnOperands(taking.subject)));

/** Each node writes down its operands as it runs, whatever its rule reads of them. */
export const dynamic: TapeSystem = tapeSystem({
  name: "dynamic",
  summary: "the operands of every node",
  keep: keepOperands,
});
