import {
  backwardDenseFrom,
  type Contribution,
  float64,
  leafNode,
  type Tape,
  tensor,
} from "../../../reference/index.ts";
import { ok, present } from "../../../spec/shapes/index.ts";
import type { Execution } from "../obligation.ts";
import { between, judged, type Lemma, type Numbers, thrownBy, within } from "./lemma.ts";

const additive = present(float64.levels.additive, "addition of floats");
const scalar = (x: number) => tensor([], () => x);

/** Makes a tape of leaves, whose node `id` contributes to `parent`. */
function tapeWith(size: number, id: number, parent: number): Tape<number> {
  return Array.from({ length: size }, (_, own) => ({
    ...leafNode(scalar(0)),
    backward: () => ok(own === id ? [{ parent, cotangent: scalar(1) } satisfies Contribution<number>] : []),
  }));
}

/** Sweeps a tape with a contribution, from a seed of some length: the model's numbers, then allowed ones. */
function swept({ size = 0, seed = 0, id = 0, pid = 0 }: Numbers): Execution {
  const outcome = (length: number, parent: number): string | undefined => {
    const grads = backwardDenseFrom(
      additive,
      tapeWith(size, id, parent),
      Array.from({ length }, () => scalar(1)),
    );
    return grads.ok ? undefined : grads.error.message;
  };
  return judged(
    outcome(size, Math.max(0, id - 1)),
    outcome(seed, pid),
    `${size} nodes, ${seed} seeds, ${id} contributes to ${pid}`,
  );
}

const sweepLemma: Lemma = {
  name: "ids/sweep",
  statement:
    "The dense loop reads nodes and slots that are there, and each contribution finds its node and slot",
  clause: "SEMANTICS §5",
  logic: "QF_LIA",
  subject: "backwardDenseFrom",
  symbols: ["size", "seed", "slots", "k", "id", "pid"],
  hypotheses: [
    { name: "seeded", formula: "(= seed size)" },
    { name: "in_place", formula: "(= slots seed)" },
    { name: "loop", formula: `(and (= id (- size 1 k)) ${within("k", "size")})` },
    { name: "earlier", formula: within("pid", "id") },
  ],
  goal: `(and ${within("id", "size")} ${within("id", "slots")} ${within("pid", "size")} ${within("pid", "slots")})`,
  dependsOn: ["ids/contributions"],
  metaArgument:
    "Induction over the visits, `k` of them done: a slot is assigned at an id that is there, so that `slots` stays. `seeded` is what the loop asks for at its beginning, or fails.",
  mutants: [
    {
      name: "any-contribution",
      fault: "a node contributes to any id.",
      without: "earlier",
      small: `(and ${between(1, 9, "size")} ${between(-9, 20, "pid")})`,
      execute: swept,
    },
    {
      name: "any-seed",
      fault: "the seed has any length.",
      without: "seeded",
      small: `(and ${between(1, 9, "size")} ${between(0, 9, "seed")})`,
      execute: swept,
    },
    {
      name: "one-further",
      fault: "the loop begins at the size.",
      instead: [{ name: "loop", formula: `(and (= id (- size k)) ${within("k", "size")})` }],
      small: `(and ${between(1, 9, "size")} (>= size 1))`,
      execute: ({ size = 0, id = 0, pid = 0 }) => {
        const tape = tapeWith(size, size - 1, Math.min(pid, size - 2));
        const right = backwardDenseFrom(
          additive,
          size > 1 ? tape : tapeWith(size, size, 0),
          tape.map(() => scalar(1)),
        );
        const wrong = thrownBy(() => present(tape[id], `a node ${id}`));
        return judged(right.ok ? undefined : right.error.message, wrong, `${size} nodes, from id ${id} on`);
      },
    },
    {
      name: "shrinking",
      fault: "a visited slot is taken away, and the next visit is to one before it.",
      instead: [{ name: "in_place", formula: "(= slots (- seed k 1))" }],
      small: between(2, 9, "size"),
      execute: ({ size = 0, slots = 0, id = 0, pid = 0 }) => {
        const grads = Array.from({ length: slots }, () => scalar(1));
        const right = backwardDenseFrom(
          additive,
          tapeWith(size, id, pid),
          Array.from({ length: size }, () => scalar(1)),
        );
        const wrong = thrownBy(() => {
          for (const slot of [id, pid]) present(grads[slot], `a slot ${slot}`);
        });
        return judged(right.ok ? undefined : right.error.message, wrong, `${slots} slots left, at id ${id}`);
      },
    },
  ],
};

/** Both emissions let a compiled node contribute only to such ids. */
const contributionLemma: Lemma = {
  name: "ids/contributions",
  statement: "A compiled node contributes to earlier ids alone, densely and sparsely",
  clause: "SEMANTICS §5",
  logic: "QF_LIA",
  subject: "compile",
  symbols: ["id", "shapes", "cut", "dense_pid", "sparse_pid"],
  hypotheses: [
    { name: "appended", formula: "(and (>= id 0) (< id shapes))" },
    { name: "sliced", formula: "(= cut id)" },
    { name: "dense", formula: within("dense_pid", "cut") },
    { name: "sparse", formula: "(and (>= sparse_pid 0) (not (>= sparse_pid id)))" },
  ],
  goal: `(and ${within("dense_pid", "id")} ${within("sparse_pid", "id")} ${within("dense_pid", "shapes")})`,
  dependsOn: ["ids/parents", "ids/tape_step"],
  metaArgument:
    "Densely it is the positions of `shapes.slice(0, id)`; sparsely what `pullBack` lets through, which throws for an id that is not earlier, of the parents that `check` has looked at.",
  mutants: [
    {
      name: "not-sliced",
      fault: "the dense emission is for all ids.",
      instead: [{ name: "sliced", formula: "(= cut shapes)" }],
      small: `(and ${between(1, 9, "shapes")} ${between(0, 9, "id")} (= sparse_pid 0) (> id 0))`,
      execute: ({ id = 0, shapes = 0, dense_pid = 0 }) => emitted(shapes, id, dense_pid),
    },
    {
      name: "let-through",
      fault: "pullBack lets later ids through.",
      instead: [{ name: "sparse", formula: "(>= sparse_pid 0)" }],
      small: `(and ${between(1, 9, "shapes")} ${between(0, 20, "sparse_pid")} (> id 0))`,
      execute: ({ id = 0, shapes = 0, sparse_pid = 0 }) => emitted(shapes, id, sparse_pid),
    },
  ],
};

/** Contributes to an id that is not earlier: it misses the tape, or reaches a visited slot and is lost. */
function emitted(size: number, id: number, pid: number): Execution {
  const ones = Array.from({ length: size }, () => scalar(1));
  const inputs = (parent: number): number => {
    const grads = backwardDenseFrom(additive, tapeWith(size, id, parent), ones);
    if (!grads.ok) return 0;
    return grads.value.slice(0, id).reduce((total, { data }) => total + (data[0] ?? 0), 0);
  };
  return {
    // An earlier id receives the contribution, one more than the seeds.
    showsFault: inputs(id - 1) === id + 1 && inputs(pid) !== id + 1,
    told: `${size} nodes, ${id} contributes to ${pid}: the earlier ids have ${inputs(pid)} in all, and ${inputs(id - 1)} if it contributes to ${id - 1}`,
  };
}

/** These state that contributions and sweep stay among the ids of a tape. */
export const sweepLemmas: readonly Lemma[] = [contributionLemma, sweepLemma];
