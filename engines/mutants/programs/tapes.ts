import { at, floatAt, type Shape } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type Application, type Cotangents, gathered, type Pulled, Tape } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

type Overwritten = Parameters<Tape["pullOverwritten"]>;
type Taken = Parameters<Tape["pullTaken"]>;

/** These faults concern the tape and its sweep. */
export const tapeMutants: readonly ProgramMutant[] = programMutantTable({
  gradient_of_overwritten_kept: {
    fault: "The cotangent of what was overwritten goes on to what was there before.",
    change: {
      tape: class extends Tape {
        override pullOverwritten(...[of, positions, by, cotangent]: Overwritten): Pulled {
          return [
            [of, cotangent.slice()],
            [by, gathered(cotangent, positions)],
          ];
        }
      },
    },
  },
  gradient_of_written_lost: {
    fault: "What was written into a part of a location gets no cotangent.",
    change: {
      tape: class extends Tape {
        override pullOverwritten(...all: Overwritten): Pulled {
          return super.pullOverwritten(...all).slice(0, 1);
        }
      },
    },
  },
  gradient_beside_written_lost: {
    fault: "What stands beside a part that is written gets no cotangent.",
    change: {
      tape: class extends Tape {
        override pullOverwritten(...all: Overwritten): Pulled {
          return super.pullOverwritten(...all).slice(1);
        }
      },
    },
  },
  first_overwritten_alone: {
    fault: "Of what was overwritten only the first element's cotangent ends.",
    change: {
      tape: class extends Tape {
        override pullOverwritten(...[of, positions, by, cotangent]: Overwritten): Pulled {
          const first = positions.slice(0, 1);
          const [stays, written] = [
            super.pullOverwritten(of, first, by, cotangent),
            super.pullOverwritten(of, positions, by, cotangent),
          ];
          return [at(stays, 0), at(written, 1)];
        }
      },
    },
  },
  written_gradient_from_start: {
    fault: "What was written gets the cotangents at the start of the location.",
    change: {
      tape: class extends Tape {
        override pullOverwritten(...[of, positions, by, cotangent]: Overwritten): Pulled {
          const [stays] = super.pullOverwritten(of, positions, by, cotangent);
          const first = positions.map((_, i) => i);
          return [...(stays === undefined ? [] : [stays]), [by, gathered(cotangent, first)]];
        }
      },
    },
  },
  seen_twice_counted_once: {
    fault: "An element that a view sees twice gets the last of its cotangents, and not their sum.",
    change: {
      tape: class extends Tape {
        override pullTaken(...[of, from, positions, cotangent]: Taken): Pulled {
          const [[, pulled] = [of, cotangent]] = super.pullTaken(of, from, positions, cotangent);
          for (const [i, position] of positions.entries()) pulled[position] = floatAt(cotangent, i);
          return [[of, pulled]];
        }
      },
    },
  },
  read_gives_back_backwards: {
    fault: "What was read through a view gets its cotangents in the opposite order.",
    change: {
      tape: class extends Tape {
        override pullTaken(...[of, from, positions, cotangent]: Taken): Pulled {
          return super.pullTaken(of, from, positions, cotangent.toReversed());
        }
      },
    },
  },
  cotangent_replaced: {
    fault: "A cotangent takes the place of the one that has come before it.",
    source: "N06",
    change: {
      tape: class extends Tape {
        override accumulate(cotangents: Cotangents, slot: number, pulled: Float64Array): void {
          cotangents.set(slot, pulled);
        }
      },
    },
  },
  cotangent_first_alone: {
    fault: "Of the cotangents of a value only the first counts.",
    change: {
      tape: class extends Tape {
        override accumulate(cotangents: Cotangents, slot: number, pulled: Float64Array): void {
          if (!cotangents.has(slot)) super.accumulate(cotangents, slot, pulled);
        }
      },
    },
  },
  same_operand_once: {
    fault: "An operand that stands twice in a statement gets one cotangent.",
    change: {
      tape: class extends Tape {
        override pullApplied(application: Application, cotangent: Float64Array): Pulled {
          const pulled = super.pullApplied(application, cotangent);
          return pulled.filter(([slot], i) => pulled.findIndex(([other]) => other === slot) === i);
        }
      },
    },
  },
  last_operand_lost: {
    fault: "The last operand of three or more, or of a quotient, gets no cotangent.",
    change: {
      tape: class extends Tape {
        override pullApplied(application: Application, cotangent: Float64Array): Pulled {
          const pulled = super.pullApplied(application, cotangent);
          const { slots, operation } = application;
          return slots.length > 2 || operation.node.op === "divide" ? pulled.slice(0, -1) : pulled;
        }
      },
    },
  },
  maximum_in_tie_both: {
    fault: "At a tie of maximum both operands get the cotangent.",
    change: {
      tape: class extends Tape {
        override pullApplied(application: Application, cotangent: Float64Array): Pulled {
          const pulled = super.pullApplied(application, cotangent);
          if (application.operation.node.op !== "maximum") return pulled;
          const [one, other] = pulled;
          const [x, y] = application.saved.map((saved) => this.recalled(saved));
          if (one === undefined || other === undefined) return pulled;
          const both = other[1].map((bar, i) => (x?.[i] === y?.[i] ? floatAt(cotangent, i) : bar));
          return [one, [other[0], both]];
        }
      },
    },
  },
  checkpoint_drops_cotangent: {
    fault: "The cotangent of what a body under checkpoint computes is dropped.",
    change: {
      tape: class extends Tape {
        override sweepAgain(): void {
          // Nothing is pulled back.
        }
      },
    },
  },
  checkpoint_swept_twice: {
    fault: "A body under checkpoint is swept twice.",
    change: {
      tape: class extends Tape {
        override sweepAgain(...all: Parameters<Tape["sweepAgain"]>): void {
          super.sweepAgain(...all);
          super.sweepAgain(...all);
        }
      },
    },
  },
  detach_leaks_in_reverse: {
    fault: "The sweep goes on behind what was detached.",
    change: {
      tape: class extends Tape {
        override detached(of: number): number {
          return of;
        }
      },
    },
  },
  reshape_ends_gradient: {
    fault: "The sweep ends at what was read in another shape.",
    change: {
      tape: class extends Tape {
        override reshaped(of: number): number {
          return this.detached(of);
        }
      },
    },
  },
  retains_first_execution: {
    fault: "What is retained in a loop is the first turn's value each time.",
    change: {
      tape: class extends Tape {
        override retain(slot: number, value: FlatTensor): void {
          const first = this.retained.find((other) => isSameShaped(other.value.shape, value.shape));
          super.retain(first?.slot ?? slot, value);
        }
      },
    },
  },
  retained_backwards: {
    fault: "Retained cotangents are told in the order of the sweep.",
    change: {
      tape: class extends Tape {
        override retain(slot: number, value: FlatTensor): void {
          this.retained.unshift({ slot, value });
        }
      },
    },
  },
  retain_copies: {
    fault: "What is retained is a copy that nothing reads, so that no cotangent reaches it.",
    source: "E12",
    change: {
      tape: class extends Tape {
        override retain(slot: number, value: FlatTensor): void {
          super.retain(this.reshaped(slot, value.shape, value.shape), value);
        }
      },
    },
  },
  repeated_result_seeded_once: {
    fault: "Of two seeds of one value the last counts.",
    change: {
      seed: (_, cotangents, slot, seed) => {
        cotangents.set(slot, seed);
      },
    },
  },
  aliasing_results_share_seeds: {
    fault: "The seed of a result is a window on that of the result before it, if both are as large.",
    change: {
      seed: (tape, cotangents, slot, seed) => {
        const before = [...cotangents.values()].at(-1);
        if (before?.length === seed.length && !cotangents.has(slot)) cotangents.set(slot, before);
        else tape.accumulate(cotangents, slot, seed);
      },
    },
  },
});

function isSameShaped(one: Shape, other: Shape): boolean {
  return one.length === other.length && one.every((extent, axis) => extent === other[axis]);
}
