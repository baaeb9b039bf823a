import { ok } from "../../spec/shapes/index.ts";
import { rulesOnNeeds } from "./reverse.ts";
import { saving } from "./saving.ts";
import { type TapeSystem, tapeSystem } from "./system.ts";

/**
 * Each node saves what its rule reads, its own value where that suffices: of `exp` and `tanh`, not the
 * operand. Less is not enough [docs/needs.md]. Over floats `spec/derivatives/` has the rules. Refuses: nodes
 * given by hand.
 */
export const outputSaving: TapeSystem = tapeSystem({
  name: "output-saving",
  summary: "what each rule reads: its operands, its own value, or neither",
  claim: "exact",
  keep: (taking) => {
    const rules = rulesOnNeeds(taking.subject);
    return rules.ok ? ok(saving(taking, rules.value)) : rules;
  },
});
