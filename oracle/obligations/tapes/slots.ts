import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { modelInteger } from "../tape/index.ts";
import { compared, type Faults, type Part, sweep } from "./schedules.ts";

/*
 * One step of a sweep with few snapshots reverses a part from `from` to `to`, whose start is in `slot`, where
 * the run is. Slots below hold the starts of waiting parts. `i` is any slot, so what is stated of it holds of
 * all.
 */

const constants = ["slots", "slot", "to", "cut", "i"].map((name) => `(declare-const ${name} Int)`).join("\n");

/** These define which position each slot holds, and where the part in a slot begins. */
const slots = `${constants}
(declare-fun held (Int) Int)
(declare-fun begins (Int) Int)
(define-fun from () Int (begins slot))
(define-fun between () Int (+ from cut))`;

const waits = (slot: string): string => `(and (<= 0 ${slot}) (<= ${slot} slot))`;

/** Defines what slots hold after the state in between has been put into one. */
const storedInto = (slot: string): string =>
  `${slots}\n(define-fun after ((k Int)) Int (ite (= k ${slot}) between (held k)))`;

const asNamed = (holds: string, slot: string): string =>
  `(=> ${waits(slot)} (= (${holds} ${slot}) (begins ${slot})))`;

/** A small model can be run: waiting parts are one step long. */
const smallIf = (formula: string) => ({ name: "small", formula });
const small =
  smallIf(`(and (<= 0 slot 3) (<= slot from 5) (< from to 11) (<= (- to from) 6) (<= (- 2) cut 7) (<= 1 slots 6)
  (<= (- 1) i 5) (=> (= slot 0) (= from 0)) (=> (and (<= 0 i) (< i slot)) (= (begins i) i)) (<= 0 (held i) 5))`);
/** The part is right but for what the mutant does. */
const fitting = (...hypotheses: readonly string[]) => ({
  name: "fit",
  formula: `(and ${hypotheses.join(" ")})`,
});
const free = "(< (+ slot 1) slots)";
const forwards = "(< 0 cut)";
const inside = "(< between to)";
const asked = ["slots", "slot", "from", "to", "cut", "i", "(held i)"];

function partIn(model: Model): Part {
  const [slotCount = 0, slot = 0, from = 0, to = 0, cut = 0] = asked
    .slice(0, 5)
    .map((name) => modelInteger(model, name));
  return { slots: slotCount, slot, from, to, cut };
}

/** Returns the model's part in the first slot, at the beginning. */
function firstPart(model: Model): Part {
  const part = partIn(model);
  return { ...part, slot: 0, slots: Math.max(part.slots, 2), from: 0 };
}

/** Sweeps twice: with a right part of at least two steps, and as the model says, with faults. */
function bothSweeps(model: Model, faults: (part: Part, model: Model) => Faults): Execution {
  const part = partIn(model);
  const proper = {
    ...part,
    slots: Math.max(part.slots, part.slot + 2),
    cut: Math.min(Math.max(part.cut, 1), Math.max(part.to - part.from - 1, 1)),
  };
  const isLong = part.to - part.from > 1;
  const right = isLong ? sweep(proper) : sweep({ ...proper, to: proper.to + 1 });
  const where = `from ${part.from} to ${part.to} in slot ${part.slot} of ${part.slots}, cut ${part.cut}: `;
  return compared(right, sweep(part, faults(part, model)), where);
}

/** A mutant is run as the model says, with these faults. */
const run = (faults: (part: Part, model: Model) => Faults): Pick<ObligationMutant, "ask" | "execute"> => ({
  ask: asked,
  execute: (model) => bothSweeps(model, faults),
});

/** A slot holds what the model says. */
const otherwiseHeld = (_part: Part, model: Model): Faults => ({
  held: new Map([[modelInteger(model, "i"), modelInteger(model, "(held i)")]]),
});

/** Every obligation about slots has these. */
const usual = {
  clause: "SEMANTICS §5",
  logic: "QF_UFLIA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  rlimit: 50_000,
} as const;

const storing: Obligation = {
  id: "tapes/slots/store",
  statement:
    "Where a slot above a part's own is free, the state in between goes there: it is one of the slots, holds a position inside the part, and every slot whose part waits holds the beginning of that part as before.",
  ...usual,
  declarations: storedInto("(+ slot 1)"),
  hypotheses: [
    { name: "waiting", formula: asNamed("held", "i") },
    { name: "own", formula: "(<= 0 slot)" },
    { name: "free", formula: free },
    { name: "forwards", formula: forwards },
    { name: "inside", formula: inside },
  ],
  goal: `(and ${asNamed("after", "i")} (= (after (+ slot 1)) between) (<= 0 (+ slot 1)) ${free} (< from between) ${inside})`,
  requiredCore: ["waiting", "own", "free", "forwards", "inside"],
  mutants: [
    {
      name: "own-slot",
      fault: "the state in between is put over the part's own beginning",
      declarations: storedInto("slot"),
      goal: asNamed("after", "i"),
      instead: [small],
      ...run(() => ({ into: (slot) => slot - 1 })),
    },
    {
      name: "below",
      fault: "the state in between is put over the beginning of a part that waits",
      declarations: storedInto("(- slot 1)"),
      goal: asNamed("after", "i"),
      instead: [small],
      ...run(() => ({ into: (slot) => slot - 2 })),
    },
    {
      name: "no-slot",
      fault: "a state is put into a slot that there is not",
      without: ["free"],
      instead: [small, fitting("(= slots (+ slot 1))")],
      ...run(() => ({})),
    },
    {
      name: "negative-slot",
      fault: "a part is begun in no slot, and the state in between goes below them all",
      without: ["own"],
      instead: [
        smallIf(
          "(and (<= (- 3) slot (- 2)) (<= 0 from 5) (< from to 11) (<= 1 slots 6) (= i 0) (<= 0 (held i) 5))",
        ),
      ],
      ask: asked,
      execute: (model) => {
        const { slot } = partIn(model);
        const own = firstPart(model);
        return compared(sweep(own), sweep(own, { into: () => slot + 1 }), `into slot ${slot + 1}: `);
      },
    },
    {
      name: "no-step",
      fault: "the state in between is the beginning once more",
      without: ["forwards"],
      instead: [small, fitting("(= cut 0)", "(< (+ from 1) to)")],
      ...run(() => ({ cut: () => 0 })),
    },
    {
      name: "to-the-end",
      fault: "the state in between is the end, so that the left part is the whole",
      without: ["inside"],
      instead: [small, fitting("(= between to)", "(< (+ from 1) to)")],
      ...run(() => ({ cut: (length) => length })),
    },
    {
      name: "lost-before",
      fault: "a slot whose part waits holds something else already",
      without: ["waiting"],
      instead: [small, fitting("(<= 0 i)", "(< i slot)")],
      ...run(otherwiseHeld),
    },
  ],
  dependsOn: [],
  metaArgument:
    "Lean has the whole schedule, for chains of any length and any split (`followAll_reversal`); this is its step, with the faults that a schedule can have.",
};

/** These define the slots after the right part, then the left one, is reversed, and the steps left then. */
const parts = `${storedInto("(+ slot 1)")}
(declare-fun done (Int) Int)
(declare-fun final (Int) Int)
(declare-const leftThen Int)
(declare-const leftFinally Int)
(define-fun leftEnd () Int between)`;

/** States by induction that reversing a part leaves the slots up to its own as they were. */
const frame = (before: string, holds: string, own: string): string =>
  `(and ${["i", "slot"].map((k) => `(=> (<= ${k} ${own}) (= (${holds} ${k}) (${before} ${k})))`).join(" ")})`;

const restoring: Obligation = {
  id: "tapes/slots/restore",
  statement:
    "After the right part, what is restored from a part's own slot is its beginning, just the steps of the left part are left, and, when they have been reversed, every slot whose part waits holds that part's beginning.",
  ...usual,
  declarations: parts,
  hypotheses: [
    { name: "stored", formula: `(and ${asNamed("after", "i")} ${asNamed("after", "slot")})` },
    { name: "own", formula: "(<= 0 slot)" },
    { name: "right", formula: frame("after", "done", "(+ slot 1)") },
    { name: "rest", formula: "(= leftThen between)" },
    {
      name: "left",
      formula: `(and ${frame("done", "final", "slot")} (=> (= leftThen leftEnd) (= leftFinally from)))`,
    },
  ],
  goal: `(and (= (done slot) from) (= leftThen leftEnd) (= leftFinally from) ${asNamed("final", "i")})`,
  requiredCore: ["stored", "own", "right", "rest", "left"],
  mutants: [
    {
      name: "other-slot",
      fault: "the left part is restored from the slot of the right one",
      goal: "(= (done (+ slot 1)) from)",
      instead: [small, fitting(free, forwards, inside)],
      ...run(() => ({ restored: (slot) => slot + 1 })),
    },
    {
      name: "reused",
      fault: "the right part puts its snapshots into the slot of the left one",
      without: ["right"],
      instead: [
        small,
        fitting(
          free,
          forwards,
          inside,
          "(< (+ slot 2) slots) (< (+ between 1) to) (= (done slot) (+ between 1))",
        ),
      ],
      ...run(({ slot }) => ({ into: (next) => (next === slot + 2 ? slot : next) })),
    },
    {
      name: "one-short",
      fault: "the left part ends one step before the right one begins",
      declarations: parts.replace("leftEnd () Int between", "leftEnd () Int (- between 1)"),
      instead: [small, fitting(free, forwards, inside)],
      ...run(() => ({ leftEnd: (between) => between - 1 })),
    },
    {
      name: "left-over",
      fault: "the right part leaves a step that nobody reverses",
      without: ["rest"],
      instead: [small, fitting(free, forwards, inside, "(= leftThen (+ between 1))")],
      ask: asked,
      execute: (model) => {
        const part = partIn(model);
        return compared(sweep(part), sweep({ ...part, to: part.to - 1 }, {}, part.to));
      },
    },
    {
      name: "left-forgets",
      fault: "the left part puts its snapshots over the beginnings of parts that wait",
      without: ["left"],
      instead: [
        small,
        fitting(
          free,
          "(< 2 cut)",
          inside,
          "(< 0 slot) (= i (- slot 1)) (= leftFinally from) (not (= (final i) (begins i)))",
        ),
      ],
      ...run(({ slot }) => ({ into: (next) => (next === slot + 1 ? slot - 1 : next) })),
    },
    {
      name: "not-stored",
      fault: "a slot whose part waits holds something else already",
      without: ["stored"],
      instead: [
        small,
        fitting(free, forwards, inside, "(<= 0 i)", "(< i slot)", "(not (= (held i) (begins i)))"),
      ],
      ...run(otherwiseHeld),
    },
    {
      name: "no-own-slot",
      fault: "a part has no slot of its own, so that nothing of it can be restored",
      without: ["own"],
      instead: [
        smallIf(
          "(and (= slot (- 1)) (<= 0 from 3) (<= 2 cut 4) (<= (+ between 1) to 9) (= i 0) (<= 1 slots 6) (<= 0 (held i) 5))",
        ),
      ],
      ask: asked,
      execute: (model) => {
        const { slot } = partIn(model);
        const own = firstPart(model);
        return compared(sweep(own), sweep(own, { restored: () => slot }), `restored from slot ${slot}: `);
      },
    },
  ],
  dependsOn: ["tapes/slots/store"],
  metaArgument:
    "Induction on the length of the part: what is assumed of the two parts is what is concluded of the whole. Lean has it in one (`followAll_reversal`).",
};

const walking = `${slots}
(declare-const left Int)
(define-fun position () Int (- to 1))`;

/** Returns the model's part, cut after one step, with one free slot. */
function onlyPart(model: Model): Part {
  const part = partIn(model);
  return { ...part, cut: 1, slots: part.slot + 2 };
}

const stepping = (name: string, fault: string, position: string, beyond: number): ObligationMutant => ({
  name,
  fault,
  declarations: walking.replace("(- to 1)", position),
  instead: [small, fitting("(< (+ from 2) to)")],
  ask: asked,
  execute: (model) => {
    const part = onlyPart(model);
    return compared(sweep(part), sweep(part, { last: (step) => step + beyond }), "no slot is free: ");
  },
});

const reversing: Obligation = {
  id: "tapes/slots/reverse",
  statement:
    "Where no slot is free, the run goes to the last step of the part, which is the one to be reversed next, goes back to the part's beginning, and just the steps before are left.",
  ...usual,
  declarations: walking,
  hypotheses: [
    { name: "waiting", formula: asNamed("held", "slot") },
    { name: "own", formula: "(<= 0 slot)" },
    { name: "length", formula: "(< from to)" },
    { name: "next", formula: "(= left to)" },
  ],
  goal: "(and (<= from position) (= position (- left 1)) (= (held slot) from) (= (- left 1) (- to 1)))",
  requiredCore: ["waiting", "own", "length", "next"],
  mutants: [
    stepping("too-far", "the run goes to the end of the part, behind its last step", "to", 1),
    stepping("one-before", "the run goes to the step before the last", "(- to 2)", -1),
    {
      name: "empty",
      fault: "a part without steps has a last one",
      without: ["length"],
      instead: [
        smallIf(
          "(and (<= 0 slot 3) (= to from) (<= slot from 5) (=> (= slot 0) (= from 0)) (<= 1 slots 6) (= i slot) (= cut 1))",
        ),
      ],
      ask: asked,
      execute: (model) => {
        const part = onlyPart(model);
        const own = { ...part, to: part.from + 2 };
        // The last step of an empty part would be the one before it.
        return compared(sweep(own), sweep(own, { leftEnd: (between) => between - 1 }));
      },
    },
    {
      name: "out-of-order",
      fault: "more steps are left than the part has",
      without: ["next"],
      instead: [small, fitting("(= left (+ to 1))", "(< (+ from 1) to)")],
      ask: asked,
      execute: (model) => {
        const part = onlyPart(model);
        const later = { ...part, to: part.to + 1 };
        return compared(sweep(later), sweep(part, {}, later.to));
      },
    },
    {
      name: "other-beginning",
      fault: "the part's own slot holds another position",
      without: ["waiting"],
      instead: [
        small,
        fitting("(= i slot)", "(< 0 from)", "(< (+ from 2) to)", "(not (= (held slot) from))"),
      ],
      ask: asked,
      execute: (model) => {
        const part = onlyPart(model);
        const held = new Map([[part.slot, modelInteger(model, "(held i)")]]);
        return compared(
          sweep(part),
          sweep(part, { held }),
          `slot ${part.slot} holds ${held.get(part.slot)}: `,
        );
      },
    },
    {
      name: "no-slot",
      fault: "a part has no slot of its own",
      without: ["own"],
      instead: [
        smallIf(
          "(and (= slot (- 1)) (<= 0 from 3) (< (+ from 2) to 9) (= i slot) (<= 1 slots 6) (= cut 1) (<= 4 (held i) 5))",
        ),
      ],
      ask: asked,
      execute: (model) => {
        const part = { ...partIn(model), slot: 0, slots: 2, from: 0 };
        return compared(sweep(part), sweep(part, { restored: () => -1 }));
      },
    },
  ],
  dependsOn: [],
  metaArgument: "A part of one step is reversed where the run stands, at its beginning.",
};

/** These state what holds of the slots of a schedule that splits. */
export const slotObligations: readonly Obligation[] = [storing, restoring, reversing];
