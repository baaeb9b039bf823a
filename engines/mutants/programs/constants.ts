import type { StatementOf } from "../../../spec/programs/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import {
  type Bound,
  type Held,
  type Leaving,
  type Manner,
  type Names,
  type Operation,
  type Progress,
  type Reference,
  Run,
  type Surroundings,
} from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern what a tape is told: detach, no_grad, checkpoint, differentiate. */
export const constantMutants: readonly ProgramMutant[] = programMutantTable({
  detach_of_reference_ignored: {
    fault: "A reference that was detached is as any other.",
    change: {
      run: class extends Run {
        protected override detachedBound(name: string, names: Names): Bound {
          const found = this.found(name, names);
          return found.kind === "reference" ? found : super.detachedBound(name, names);
        }
      },
    },
  },
  detach_of_reference_reads_alone: {
    fault: "What is written through a detached reference is differentiated.",
    change: {
      run: class extends Run {
        protected override writtenThrough({ place, view }: Reference): Reference {
          return { kind: "reference", place, view, isDetached: false };
        }
      },
    },
  },
  detach_copies: {
    fault: "A detached reference is a copy: what is written through it does not reach the location.",
    change: {
      run: class extends Run {
        protected override detachedBound(name: string, names: Names): Bound {
          const bound = super.detachedBound(name, names);
          return bound.kind === "reference" ? this.located(this.read(bound)) : bound;
        }
      },
    },
  },
  detach_lost_by_view: {
    fault: "A view of a detached reference is not detached.",
    change: {
      run: class extends Run {
        protected override seenAs(reference: Reference, view: Reference["view"]): Reference {
          return { ...super.seenAs(reference, view), isDetached: false };
        }
      },
    },
  },
  detach_keeps_tangent: {
    fault: "Forward mode goes on behind what was detached.",
    change: {
      run: class extends Run {
        protected override detached(value: Held): Held {
          return { ...super.detached(value), tangent: value.tangent };
        }
      },
    },
  },
  detach_freezes_location: {
    fault: "What is detached makes the location that it is of constant from then on.",
    change: {
      run: class extends Run {
        protected override detachedBound(name: string, names: Names): Bound {
          const found = this.found(name, names);
          if (found.kind === "reference") found.place.slot = this.trace.detached(found.place.slot);
          return super.detachedBound(name, names);
        }
      },
    },
  },
  no_grad_ignored: {
    fault: "What is computed under no_grad is differentiated.",
    change: {
      run: class extends Run {
        protected override noGrad(
          { body }: StatementOf<"no_grad">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return this.block(body, this.scopeWithin(names), manner);
        }
      },
    },
  },
  no_grad_ignored_for_writes: {
    fault: "What is written under no_grad is differentiated.",
    change: {
      run: class extends Run {
        protected override write(...[to, value, names, manner]: Parameters<Written["write"]>): void {
          super.write(to, value, names, { ...manner, isConstant: false });
        }
      },
    },
  },
  no_grad_ignored_for_buffers: {
    fault: "A buffer that is made under no_grad is differentiated.",
    change: {
      run: class extends Run {
        protected override statement(
          ...[statement, names, manner]: Parameters<Written["statement"]>
        ): Leaving | undefined {
          const isBuffer = statement.do === "buffer";
          return super.statement(statement, names, isBuffer ? { ...manner, isConstant: false } : manner);
        }
      },
    },
  },
  no_grad_sticks: {
    fault: "What comes behind no_grad is constant too.",
    change: {
      run: class extends Run {
        #sticks = false;
        protected override noGrad(...all: Parameters<Written["noGrad"]>): Leaving | undefined {
          const left = super.noGrad(...all);
          this.#sticks = true;
          return left;
        }
        protected override constantWithin({ depth, isConstant }: Manner, value: Held): Held {
          return super.constantWithin({ depth, isConstant: isConstant || this.#sticks }, value);
        }
      },
    },
  },
  no_grad_ends_at_calls: {
    fault: "What a procedure computes is differentiated, though it was called under no_grad.",
    change: {
      run: class extends Run {
        protected override deeper(manner: Manner): Manner {
          return { ...super.deeper(manner), isConstant: false };
        }
      },
    },
  },
  no_grad_reaches_derivatives: {
    fault: "The derivative of a procedure is 0 under no_grad, as if that were within the procedure.",
    change: {
      run: class extends Run {
        protected override mannerOfDerivative(manner: Manner): Manner {
          return this.deeper(manner);
        }
      },
    },
  },
  checkpoint_from_current_memory: {
    fault: "A body under checkpoint is run again on what memory holds by then.",
    source: "N31",
    change: {
      run: class extends Run {
        protected override checkpoint(
          ...[{ body }, names, manner]: Parameters<Written["checkpoint"]>
        ): Leaving | undefined {
          const run = (): Leaving | undefined => this.block(body, this.scopeWithin(names), manner);
          return this.trace.again(run, () => {
            const progress = this.progressFrom();
            return (trace) => {
              const again = this.within({ ...this.setting, progress }, trace);
              again.block(body, this.snapshot(names), manner);
            };
          });
        }
      },
    },
  },
  checkpoint_is_constant: {
    fault: "A body under checkpoint is constant under differentiation.",
    change: {
      run: class extends Run {
        protected override checkpoint(
          { body }: StatementOf<"checkpoint">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return this.noGrad({ do: "no_grad", body }, names, manner);
        }
      },
    },
  },
  mask_redrawn: {
    fault: "A body that is run again goes on with the generator where it stands.",
    change: {
      run: class extends Run {
        protected override progressFrom(): Progress {
          const progress = super.progressFrom();
          return { ...progress, drawn: progress.drawn + 1 };
        }
      },
    },
  },
  effect_twice: {
    fault: "A body that is run again sends once more.",
    change: {
      run: class extends Run {
        protected override progressFrom(): Progress {
          return { ...super.progressFrom(), sent: this.setting.progress.sent };
        }
      },
    },
  },
  receive_twice: {
    fault: "A body that is run again receives what comes next.",
    change: {
      run: class extends Run {
        protected override progressFrom(): Progress {
          return { ...super.progressFrom(), received: this.setting.progress.received };
        }
      },
    },
  },
  receive_twice_unheard: {
    fault: "A body that is run again asks the world once more, and goes on with what came first.",
    change: {
      run: class extends Run {
        protected override progressFrom(): Progress {
          const progress = super.progressFrom();
          return { ...progress, received: new AskedAgain(progress.received, this.setting.progress.received) };
        }
        protected override receive(statement: StatementOf<"receive">): FlatTensor {
          const { received } = this.setting.progress;
          if (received instanceof AskedAgain) {
            const before = [...received];
            refill(received, received.ofCall);
            super.receive(statement);
            refill(received.ofCall, received);
            refill(received, before);
          }
          return super.receive(statement);
        }
      },
    },
  },
  differentiate_tangent_zero: {
    fault: "The derivative of a procedure does not depend on its tangent or cotangent.",
    change: {
      run: class extends Run {
        protected override operated(...[operation, operands, around]: Operated): Held {
          if (operation.node.op !== "differentiate") return super.operated(operation, operands, around);
          const last = operands.length - 1;
          const frozen = operands.map((one, i) => (i === last ? this.detached(one) : one));
          return super.operated(operation, frozen, around);
        }
      },
    },
  },
  differentiate_point_constant: {
    fault: "The derivative of a procedure does not depend on where it is taken.",
    change: {
      run: class extends Run {
        protected override operated(...[operation, operands, around]: Operated): Held {
          if (operation.node.op !== "differentiate") return super.operated(operation, operands, around);
          const last = operands.length - 1;
          const frozen = operands.map((one, i) => (i < last ? this.detached(one) : one));
          return super.operated(operation, frozen, around);
        }
      },
    },
  },
  differentiate_wrt_off_by_one: {
    fault: "The derivative is that for the next parameter.",
    change: {
      run: class extends Run {
        protected override derivative(
          ...[statement, names, manner]: Parameters<Written["derivative"]>
        ): Held {
          const wrt = (statement.wrt + 1) % (statement.operands.length - 1);
          return super.derivative({ ...statement, wrt }, names, manner);
        }
      },
    },
  },
  differentiate_mode_swapped: {
    fault: "The derivative of a procedure is transposed.",
    change: {
      run: class extends Run {
        protected override derivative(
          ...[statement, names, manner]: Parameters<Written["derivative"]>
        ): Held {
          const mode = statement.mode === "vjp" ? "jvp" : "vjp";
          return super.derivative({ ...statement, mode }, names, manner);
        }
      },
    },
  },
});

/** Counts what a body that is run again has received by channel, and knows what its whole call has. */
class AskedAgain extends Map<string, number> {
  readonly ofCall: Map<string, number>;

  constructor(counts: Iterable<readonly [string, number]>, ofCall: Map<string, number>) {
    super(counts);
    this.ofCall = ofCall;
  }
}

function refill(counts: Map<string, number>, by: Iterable<readonly [string, number]>): void {
  const all = [...by];
  counts.clear();
  for (const [channel, count] of all) counts.set(channel, count);
}

/** The methods of a run that are overridden here. */
type Written = {
  write(to: string, value: Held, names: Names, manner: Manner): void;
  statement(statement: Parameters<Run["block"]>[0][number], names: Names, manner: Manner): Leaving;
  noGrad(statement: StatementOf<"no_grad">, names: Names, manner: Manner): Leaving;
  checkpoint(statement: StatementOf<"checkpoint">, names: Names, manner: Manner): Leaving;
  derivative(statement: StatementOf<"differentiate">, names: Names, manner: Manner): Held;
};

type Operated = [operation: Operation, operands: readonly Held[], surroundings: Surroundings];
