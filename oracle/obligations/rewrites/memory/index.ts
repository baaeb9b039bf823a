import type { Regime } from "../../../../engines/compile/plan/index.ts";
import { present } from "../../../../spec/shapes/index.ts";
import type { Obligation } from "../../obligation.ts";
import { anyPlanObligations } from "./any_plan.ts";
import { checkpointingObligations } from "./checkpointing.ts";
import { inPlaceObligation } from "./in_place.ts";
import { lastWriteObligation } from "./last_write.ts";
import { type WrongLayout, wrongLives, wrongPlaces } from "./layouts.ts";
import { frugalOf, graphs, plannedOf } from "./plans.ts";
import { reversalObligations } from "./reversals.ts";

/** Each plan shows these faults. */
const plans: readonly (readonly [graph: string, regime: Regime, lives: string, places: string])[] = [
  ["dense", "fast", "ends_early results_not_kept first_reader_is_last", "one_beside"],
  [
    "transposed",
    "fast",
    "ends_early results_not_kept first_reader_is_last",
    "permuted some_read_in_order any_instruction",
  ],
  ["attention", "fast", "ends_early results_not_kept first_reader_is_last", "permuted any_instruction"],
  ["embedding", "fast", "ends_early results_not_kept first_reader_is_last", "one_beside"],
  [
    "convolution",
    "bit_exact",
    "ends_early results_not_kept first_reader_is_last",
    "permuted any_instruction",
  ],
];

function named(all: readonly WrongLayout[], names: string): readonly WrongLayout[] {
  return names.split(" ").map((name) =>
    present(
      all.find((one) => one.name === name),
      name,
    ),
  );
}

/** States that the planner's use of memory changes no number, whatever the scalars are. */
export function memoryObligations(): readonly Obligation[] {
  const ofPlans = plans.flatMap(([name, regime, lives, places]) => {
    const program = plannedOf(present(graphs[name], name), regime);
    return [
      lastWriteObligation(name, program, named(wrongLives, lives)),
      inPlaceObligation(name, program, named(wrongPlaces, places)),
    ];
  });
  const frugal = frugalOf(present(graphs.attention, "attention"));
  const lives = named(wrongLives, "ends_early copies_read_nothing");
  return [
    ...anyPlanObligations,
    ...ofPlans,
    lastWriteObligation("checkpointed_attention", frugal, lives),
    inPlaceObligation("checkpointed_attention", frugal, named(wrongPlaces, "one_beside")),
    ...checkpointingObligations(),
    ...reversalObligations(),
  ];
}
