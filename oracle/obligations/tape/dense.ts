import type { Hypothesis, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { braid, type Edge, executeStep, executeWiring, modelInteger, type Planted } from "./executing.ts";
import {
  ascending,
  clearing,
  lastContributionOnly,
  lastIdLast,
  overwriting,
  reversedAddition,
  seedless,
  shifted,
} from "./wrong_loops.ts";

/*
 * The dense loop is peel-last, for every graph: of a store only what `get` finds is known, of `+` nothing is
 * known, and each statement is one step of an induction, without quantifiers: the induction hypothesis is
 * stated at the index where it is used.
 */

const common = {
  clause: "SEMANTICS §5, backwardDenseFrom_compile_eq_backpropAllCtx",
  logic: "QF_UFLIA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
} as const;

const stores = `(declare-sort Store 0)
(declare-sort Val 0)
(declare-fun get (Store Int) Val)
(declare-fun add (Val Val) Val)`;

/** Adds one contribution to one slot, seen at the index `i`. */
const update: Hypothesis = {
  name: "update",
  formula: "(= (get after i) (ite (= i pid) (add (get before pid) contribution) (get before i)))",
};

/** Keeps a model within the ids that exist. */
const ids = (...names: readonly string[]): Hypothesis => ({
  name: "ids",
  formula: `(and ${names.map((name) => `(<= 0 ${name} 20)`).join(" ")})`,
});

/** Plants a mutant whose model names ids; the tape is as large as the largest of them needs. */
function planted(
  mutant: Pick<ObligationMutant, "name" | "fault" | "without" | "instead">,
  ask: readonly string[],
  plant: (ids: readonly number[]) => Planted & { readonly size: number },
): ObligationMutant {
  return {
    ...mutant,
    instead: [...(mutant.instead ?? []), ids(...ask)],
    ask,
    execute: (model: Model) => {
      const { size, ...fault } = plant(ask.map((name) => modelInteger(model, name)));
      return executeWiring(braid(size), fault);
    },
  };
}

/** The size suffices for each id, and for a node above and below that contributes to others. */
const around = (...names: readonly number[]): number => Math.max(3, ...names.map((id) => id + 2));

const entriesBase: Obligation = {
  ...common,
  id: "tape/entries/base",
  statement:
    "Before any contribution of a node is added, every slot holds what it held: the sum over no entries.",
  declarations: `${stores}
(declare-fun entry (Int) Val)
(declare-const i Int)
(declare-const seed Store)
(declare-const before Store)`,
  hypotheses: [
    { name: "slots", formula: "(<= 0 i)" },
    { name: "start", formula: "(= (get before i) (get seed i))" },
  ],
  goal: "(= (get before i) (ite (< i 0) (add (get seed i) (entry i)) (get seed i)))",
  rlimit: 10_000,
  requiredCore: ["start"],
  mutants: [
    planted(
      { name: "no-seed", fault: "the loop begins with other numbers than the seed", without: ["start"] },
      ["i"],
      ([i = 0]) => ({ size: around(i), loop: seedless }),
    ),
  ],
  dependsOn: [],
  metaArgument:
    "The base of the induction over the entries of a node's contributions; tape/entries/step is the step.",
};

const entriesStep: Obligation = {
  ...common,
  id: "tape/entries/step",
  statement:
    "Adding the contributions to ids 0, 1, … in place, one after the other, is adding the context of contributions entry by entry.",
  declarations: `${stores}
(declare-fun entry (Int) Val)
(declare-const i Int)
(declare-const pid Int)
(declare-const contribution Val)
(declare-const seed Store)
(declare-const before Store)
(declare-const after Store)`,
  hypotheses: [
    { name: "emission", formula: "(= contribution (entry pid))" },
    update,
    {
      name: "induction",
      formula: "(= (get before i) (ite (< i pid) (add (get seed i) (entry i)) (get seed i)))",
    },
  ],
  goal: "(= (get after i) (ite (< i (+ pid 1)) (add (get seed i) (entry i)) (get seed i)))",
  rlimit: 10_000,
  requiredCore: ["update", "induction"],
  mutants: [
    planted(
      {
        name: "overwrite",
        fault: "a contribution takes the place of what was there",
        instead: [
          { name: "update", formula: "(= (get after i) (ite (= i pid) contribution (get before i)))" },
        ],
      },
      ["i", "pid"],
      ([i = 0, pid = 0]) => ({ size: around(i, pid), loop: overwriting }),
    ),
    planted(
      {
        name: "operands",
        fault: "the slot is added to the contribution",
        instead: [
          {
            name: "update",
            formula: "(= (get after i) (ite (= i pid) (add contribution (get before pid)) (get before i)))",
          },
        ],
      },
      ["i", "pid"],
      ([i = 0, pid = 0]) => ({ size: around(i, pid), loop: reversedAddition }),
    ),
    planted(
      { name: "no-induction", fault: "earlier contributions of the node are lost", without: ["induction"] },
      ["i", "pid"],
      ([i = 0, pid = 0]) => ({ size: around(i, pid), loop: lastContributionOnly }),
    ),
  ],
  dependsOn: ["tape/entries/base"],
  metaArgument:
    "The step of the induction over the entries; with it the store after all n entries is the sum, at every i below n.",
};

const frameStep: Obligation = {
  ...common,
  id: "tape/frame/step",
  statement:
    "A node's contributions, however many and in whatever order, leave the slots from its own on as they are.",
  declarations: `${stores}
(declare-const n Int)
(declare-const i Int)
(declare-const pid Int)
(declare-const contribution Val)
(declare-const seed Store)
(declare-const before Store)
(declare-const after Store)`,
  hypotheses: [
    { name: "earlier", formula: "(< pid n)" },
    { name: "above", formula: "(<= n i)" },
    update,
    { name: "induction", formula: "(= (get before i) (get seed i))" },
  ],
  goal: "(= (get after i) (get seed i))",
  rlimit: 10_000,
  requiredCore: ["earlier", "above", "update", "induction"],
  mutants: [
    planted(
      {
        name: "later-parent",
        fault: "a node contributes to itself or to a later id",
        without: ["earlier"],
      },
      ["n", "pid", "i"],
      ([n = 0, pid = 0, i = 0]) => ({ size: Math.max(pid, i, n) + 1, edges: [{ from: n, to: pid }] }),
    ),
    {
      name: "below",
      fault: "slots below the node are claimed to stay too",
      without: ["above"],
      instead: [ids("n", "pid", "i")],
      ask: ["n", "i"],
      execute: (model) => executeStep(modelInteger(model, "n"), modelInteger(model, "i")),
    },
    planted(
      {
        name: "next-slot",
        fault: "a contribution goes to the slot after the parent's",
        instead: [
          {
            name: "update",
            formula:
              "(= (get after i) (ite (= i (+ pid 1)) (add (get before i) contribution) (get before i)))",
          },
        ],
      },
      ["n", "pid", "i"],
      ([n = 0, pid = 0, i = 0]) => ({ size: around(n, pid, i), loop: shifted }),
    ),
    planted(
      {
        name: "spilled",
        fault: "a contribution before this one has reached the slot",
        without: ["induction"],
      },
      ["n", "pid", "i"],
      ([n = 0, pid = 0, i = 0]) => ({ size: around(n, pid, i), edges: [{ from: n, to: i }] }),
    ),
  ],
  dependsOn: [],
  metaArgument: "Induction over the list of contributions; with none there is nothing to show.",
};

const loopDeclarations = `${stores}
(declare-fun dense (Int Store) Store)
(declare-fun peel (Int Store) Store)
(declare-const n Int)
(declare-const i Int)
(declare-const seed Store)
(declare-const stepped Store)`;

const denseLoop: Hypothesis = { name: "dense-loop", formula: "(= (dense (+ n 1) seed) (dense n stepped))" };

/** Adds an edge up to `i` from some node below it. */
const upwards = (n: number, i: number): readonly Edge[] => [{ from: Math.max(0, Math.min(n, i) - 1), to: i }];

const frameLoop: Obligation = {
  ...common,
  id: "tape/frame/loop",
  statement: "The dense loop over the ids below n leaves the slots from n on as they are.",
  declarations: loopDeclarations,
  hypotheses: [
    { name: "above", formula: "(<= (+ n 1) i)" },
    denseLoop,
    { name: "frame", formula: "(=> (<= n i) (= (get stepped i) (get seed i)))" },
    { name: "induction", formula: "(=> (<= n i) (= (get (dense n stepped) i) (get stepped i)))" },
  ],
  goal: "(= (get (dense (+ n 1) seed) i) (get seed i))",
  rlimit: 10_000,
  requiredCore: ["frame", "induction"],
  mutants: [
    planted(
      { name: "step-spills", fault: "the step at n reaches a later slot", without: ["frame"] },
      ["n", "i"],
      ([n = 0, i = 0]) => ({ size: around(n, i), edges: [{ from: n, to: i }] }),
    ),
    planted(
      {
        name: "rest-spills",
        fault: "a step below n reaches a later slot",
        without: ["induction"],
        instead: [{ name: "some-below", formula: "(< 0 n)" }],
      },
      ["n", "i"],
      ([n = 0, i = 0]) => ({ size: around(n, i), edges: upwards(n, i) }),
    ),
  ],
  dependsOn: ["tape/frame/step"],
  metaArgument: "Induction over n; for n = 0 the loop does nothing (tape/base).",
};

const base: Obligation = {
  ...common,
  id: "tape/base",
  statement: "Without nodes the dense loop and peel-last both give back the seed.",
  declarations: loopDeclarations,
  hypotheses: [
    { name: "dense-nil", formula: "(= (dense 0 seed) seed)" },
    { name: "peel-nil", formula: "(= (get (peel 0 seed) i) (get seed i))" },
  ],
  goal: "(= (get (dense 0 seed) i) (get (peel 0 seed) i))",
  rlimit: 10_000,
  requiredCore: ["dense-nil"],
  mutants: [
    planted(
      { name: "no-seed", fault: "the loop begins with other numbers than the seed", without: ["dense-nil"] },
      ["i"],
      ([i = 0]) => ({ size: i + 1, loop: seedless }),
    ),
  ],
  dependsOn: [],
  metaArgument:
    "The base of the induction over the nodes; tape/step is the step. Inputs are nodes that contribute nothing.",
};

const sameEntries = "(=> (< w n) (= (get stepped w) (get pulled w)))";

const step: Obligation = {
  ...common,
  id: "tape/step",
  statement:
    "For every graph with n + 1 nodes: one step of the dense loop and then the loop over the rest is backpropAllCtx, in every slot, whatever + is.",
  declarations: `${loopDeclarations}
(declare-const pulled Store)
(declare-const w Int)`,
  hypotheses: [
    { name: "range", formula: "(<= i n)" },
    denseLoop,
    {
      name: "peel-last",
      formula: "(= (get (peel (+ n 1) seed) i) (ite (= i n) (get seed n) (get (peel n pulled) i)))",
    },
    { name: "entries", formula: sameEntries },
    { name: "frame", formula: "(= (get stepped n) (get seed n))" },
    {
      name: "induction",
      formula: `(=> (and (< i n) ${sameEntries}) (= (get (dense n stepped) i) (get (peel n pulled) i)))`,
    },
    { name: "induction-frame", formula: "(= (get (dense n stepped) n) (get stepped n))" },
  ],
  goal: "(= (get (dense (+ n 1) seed) i) (get (peel (+ n 1) seed) i))",
  rlimit: 10_000,
  requiredCore: ["dense-loop", "peel-last", "entries", "frame", "induction", "induction-frame"],
  mutants: [
    planted(
      { name: "rest-first", fault: "the rest comes before the last node", without: ["dense-loop"] },
      ["n", "i"],
      ([n = 0, i = 0]) => ({ size: around(n, i), loop: lastIdLast }),
    ),
    planted(
      {
        name: "not-put-back",
        fault: "the last cotangent is used up and not put back",
        instead: [{ name: "peel-last", formula: "(= (get (peel (+ n 1) seed) i) (get (peel n pulled) i))" }],
      },
      ["n", "i"],
      ([n = 0, i = 0]) => ({ size: around(n, i), loop: clearing }),
    ),
    planted(
      { name: "overwrite", fault: "the step does not add the node's entries", without: ["entries"] },
      ["n", "i", "w"],
      ([n = 0, i = 0, w = 0]) => ({ size: around(n, i, w), loop: overwriting }),
    ),
    planted(
      { name: "self-loop", fault: "the last node contributes to itself", without: ["frame"] },
      ["n", "i"],
      ([n = 0]) => ({ size: n + 1, edges: [{ from: n, to: n }] }),
    ),
    planted(
      { name: "wrong-order", fault: "the rest is not peel-last", without: ["induction"] },
      ["n", "i"],
      ([n = 0, i = 0]) => ({ size: around(n, i), loop: ascending }),
    ),
    planted(
      {
        name: "rest-spills",
        fault: "a node of the rest contributes to the last",
        without: ["induction-frame"],
        instead: [{ name: "some-below", formula: "(< 0 n)" }],
      },
      ["n", "i"],
      ([n = 0]) => ({ size: n + 1, edges: upwards(n, n) }),
    ),
  ],
  dependsOn: ["tape/base", "tape/entries/step", "tape/frame/step", "tape/frame/loop"],
  metaArgument:
    "Induction over n. The induction hypothesis is about any two stores that agree below n; w is where they would differ. entries and frame are what the named obligations show of one node, induction-frame what they show of the loop.",
};

/** These are the tape theorem for all graphs, in steps of inductions. */
export const denseObligations: readonly Obligation[] = [
  base,
  entriesBase,
  entriesStep,
  frameStep,
  frameLoop,
  step,
];
