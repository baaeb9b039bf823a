import { type Mutant, plantAround } from "../mutant.ts";

export const forwardModeInSingle: Mutant = plantAround(
  { name: "forward_mode_in_single", fault: "Forward mode computes everything in float32.", source: "A20" },
  ({ again }) => ({
    async jvp(point, tangents) {
      const single = await again("float32");
      return single.kind === "result" ? single.value.jvp(point, tangents) : single;
    },
  }),
);
