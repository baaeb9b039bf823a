import {
  countNodes,
  declarationsOf,
  type ScalarTerm,
  type TermLaw,
  uninterpreted,
} from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { finiteAlgebra, type NamedTerms, nameParts, type OperationTable, tableOf } from "../finite.ts";
import type { Execution, Model, ObligationMutant } from "../obligation.ts";
import type { Loop } from "./definition.ts";
import { realLoop } from "./executing.ts";
import { graphTerms, loopTerms, paddedIn, runOver, symbolicRun } from "./runs.ts";
import { ascending, clearing, lastIdLast, overwriting, reversedAddition, seedless } from "./wrong_loops.ts";

const wrongLoops: readonly (readonly [string, string, Loop])[] = [
  ["overwriting", "a contribution takes the place of what was there", overwriting],
  ["ascending", "nodes come before what consumes them", ascending],
  ["last-id-last", "the last id is visited last", lastIdLast],
  ["seedless", "the loop begins with zeros", seedless],
  ["clearing", "slots are cleared when they have been visited", clearing],
  ["operands", "the slot is added to the contribution", reversedAddition],
];

/** This is one slot as computed by a loop and by `backpropAllCtx`, in separate runs, with all parts named. */
interface Slot {
  readonly id: number;
  readonly named: readonly [tape: NamedTerms, graph: NamedTerms];
  readonly declarations: string;
  /** It states that the two are equal. */
  readonly goal: string;
  /** It states that adding zero changes nothing, where `backpropAllCtx` does. */
  readonly unit: string;
}

/** Among this many wrong slots the one with the fewest parts is chosen. */
const LOOKED_AT = 4;

/** Finds a slot that a loop computes wrongly: among the last ones, whose terms are small, the smallest. */
function wrongSlot(program: PrimitiveGraph, loop: Loop, laws: readonly TermLaw[]): Slot {
  const run = symbolicRun(program, laws);
  const wanted = graphTerms(run);
  const wrongIds = loopTerms(run, loop).flatMap((term, id) => (term === wanted[id] ? [] : [id]));
  const ofTape = loopTerms(symbolicRun(program, []), loop);
  const ofGraph = graphTerms(symbolicRun(program, []));
  const sidesAt = (id: number): readonly [ScalarTerm, ScalarTerm] => [
    present(ofTape[id], "a slot"),
    present(ofGraph[id], "a slot"),
  ];
  const sizeAt = (id: number): number => sidesAt(id).reduce((sum, side) => sum + countNodes([side]), 0);
  const [id] = wrongIds.slice(-LOOKED_AT).sort((a, b) => sizeAt(a) - sizeAt(b));
  if (id === undefined) throw new InvariantError("the wrong loop is right");
  const [got, want] = sidesAt(id);
  const named = [nameParts([got], "tape_"), nameParts([want], "graph_")] as const;
  const units = paddedIn([want]).map(
    ({ whole, part }) => `(= ${named[1].nameOf(whole)} ${named[1].nameOf(part)})`,
  );
  return {
    id,
    named,
    declarations: [
      declarationsOf([got, want], uninterpreted),
      ...named.map(({ definitions }) => definitions),
    ].join("\n"),
    goal: `(= ${named[0].nameOf(got)} ${named[1].nameOf(want)})`,
    unit: units.length === 0 ? "true" : `(and true ${units.join("\n  ")})`,
  };
}

/** Makes adding zero change nothing, whatever the model says. */
function withUnit(table: OperationTable, zero: string): OperationTable {
  return {
    element: table.element,
    result: (operator, operands) =>
      operator === "add" && operands[1] === zero ? operands[0] : table.result(operator, operands),
  };
}

/** Runs a loop and `backpropAllCtx` on a graph over a table's operations, and returns every slot. */
function slotsOver(
  program: PrimitiveGraph,
  table: OperationTable,
  zero: string,
  loop: Loop,
): { readonly tape: readonly string[]; readonly graph: readonly string[] } {
  // The model does not know other slots' operations: there x + 0 is x, and all else is one element more.
  const elsewhere = {
    literal: (name: string) => (name === "zero" ? zero : "other"),
    result: (operator: string, [x = "other", y]: readonly string[]) =>
      operator === "add" && y === zero ? x : "other",
  };
  const algebra = finiteAlgebra(table, elsewhere);
  const run = runOver(program, algebra, (name) => table.element(name) ?? "other");
  return { tape: loopTerms(run, loop), graph: graphTerms(run) };
}

/** Runs the real and the wrong loop over a model's algebra, or the real one with and without a law. */
function execute(
  program: PrimitiveGraph,
  slot: Slot,
  loop: Loop,
  isLawful: boolean,
  model: Model,
): Execution {
  const table = tableOf(model, slot.named);
  const zero = table.element("zero") ?? "nothing";
  const lawful = isLawful ? table : withUnit(table, zero);
  const right = slotsOver(program, lawful, zero, realLoop);
  const wrong = slotsOver(program, table, zero, loop);
  const isRight = right.tape.every((element, id) => element === right.graph[id]);
  const [got, want] = [wrong.tape[slot.id], wrong.graph[slot.id]];
  return {
    showsFault: isRight && got !== want,
    told: `${program.nodes.length} nodes over the model's algebra: ${isRight ? "every slot is" : "not every slot is"} the graph's; ${isLawful ? "with the wrong loop" : "where x + 0 is not x"} slot ${slot.id} is ${got} and should be ${want}`,
  };
}

/** Plants wrong loops, and the real one without its law, each at one slot where it shows. */
export function realCodeMutants(program: PrimitiveGraph): readonly ObligationMutant[] {
  const planted = wrongLoops.map(([name, fault, loop]): ObligationMutant => {
    const slot = wrongSlot(program, loop, ["zero"]);
    return {
      name,
      fault,
      declarations: slot.declarations,
      goal: slot.goal,
      instead: [{ name: "unit", formula: slot.unit }],
      ask: askedOf(slot),
      execute: (model) => execute(program, slot, loop, true, model),
    };
  });
  const slot = wrongSlot(program, realLoop, []);
  const lawless: ObligationMutant = {
    name: "no-unit",
    fault: "adding zero is something",
    declarations: slot.declarations,
    goal: slot.goal,
    without: ["unit"],
    ask: askedOf(slot),
    execute: (model) => execute(program, slot, realLoop, false, model),
  };
  return [...planted, lawless];
}

function askedOf({ named }: Slot): readonly string[] {
  return [...new Set(named.flatMap(({ names }) => names))];
}
