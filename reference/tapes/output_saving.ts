import { ok } from "../../spec/shapes/index.ts";
import { rulesOnNeeds } from "./reverse.ts";
import { saving } from "./saving.ts";
import { type TapeSystem, tapeSystem } from "./system.ts";

/**
 * Each node writes down what its rule reads, which is its own value where that says as much: of `exp` and `tanh`, not the operand. Less is not enough
 * [docs/needs.md]. Over floats the rules are those of `spec/derivatives/`. Refuses: nodes that were given by hand.
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
