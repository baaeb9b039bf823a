import {
  type Additive,
  counted,
  fail,
  formatShape,
  type Issue,
  isSameShape,
  ok,
  type Result,
  type Shape,
} from "../spec/shapes/index.ts";
import { addTensors, sumTensors, type Tensor, zeros } from "./tensor.ts";

/** A cotangent on its way to a parent. */
export interface Contribution<S> {
  readonly parent: number;
  readonly cotangent: Tensor<S>;
}

/** A run-time tape remembers these of one value, whose id is its index. */
export interface TapeNode<S> {
  /** The name is for people. */
  readonly name: string;
  /** The forward value; its shape is known only at run time. */
  readonly value: Tensor<S>;
  readonly requiresGrad: boolean;
  readonly parents: readonly number[];
  /** Says what goes to whom, from the upstream cotangent; or why not. */
  backward(upstream: Tensor<S>): Result<readonly Contribution<S>[], Issue>;
}

/** A grow-only array of nodes [SEMANTICS §4.1]. */
export type Tape<S> = readonly TapeNode<S>[];

/** Appends a node in place; its id is the size before. */
export function addNode<S>(tape: TapeNode<S>[], node: TapeNode<S>): number {
  return tape.push(node) - 1;
}

/** Returns a node without parents that hands nothing on. It requires a gradient by default. */
export function leafNode<S>(value: Tensor<S>, requiresGrad = true): TapeNode<S> {
  return { name: "leaf", value, requiresGrad, parents: [], backward: () => ok([]) };
}

/** Appends a leaf in place; returns its id. */
export function leaf<S>(tape: TapeNode<S>[], value: Tensor<S>, requiresGrad = true): number {
  return addNode(tape, leafNode(value, requiresGrad));
}

/** Appends an operation's node in place; returns its id. It requires a gradient if a parent does. */
export function addOperation<S>(tape: TapeNode<S>[], operation: Omit<TapeNode<S>, "requiresGrad">): number {
  return addNode(tape, { ...operation, requiresGrad: inheritsGrad(tape, operation.parents) });
}

/** Says whether an operation's node requires a gradient: it does if one of its parents does. */
export function inheritsGrad<S>(tape: Tape<S>, parents: readonly number[]): boolean {
  return parents.some((parent) => tape[parent]?.requiresGrad ?? false);
}

/**
 * Sets `grads[pid] := grads[pid] + g` in place; does nothing where the parent does not require a gradient.
 * Fails: `tape/id`, `tape/contribution-shape`, `tape/gradient-shape`.
 */
export function addGradAll<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  grads: Tensor<S>[],
  pid: number,
  g: Tensor<S>,
): Result<void, Issue> {
  const node = tape[pid];
  const slot = grads[pid];
  if (node === undefined || slot === undefined) return fail(noSuchId(pid, tape.length));
  if (!node.requiresGrad) return ok(undefined);
  if (!isSameShape(g.shape, node.value.shape)) {
    return fail(shapeIssue("tape/contribution-shape", pid, "a contribution", g.shape, node.value.shape));
  }
  if (!isSameShape(slot.shape, node.value.shape)) {
    return fail(shapeIssue("tape/gradient-shape", pid, "the gradient slot", slot.shape, node.value.shape));
  }
  grads[pid] = addTensors(algebra, slot, g);
  return ok(undefined);
}

/**
 * Makes one step of the dense loop, in place: the gradient at `id` goes to the node's `backward`, and what
 * comes back is added in the order given. Nothing happens where the node does not require a gradient.
 * Fails: `tape/id`, `tape/gradient-shape`, and as `backward` and {@link addGradAll} do.
 */
export function backwardDenseFromStep<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  grads: Tensor<S>[],
  id: number,
): Result<void, Issue> {
  const node = tape[id];
  if (node === undefined) return fail(noSuchId(id, tape.length));
  if (!node.requiresGrad) return ok(undefined);
  const upstream = grads[id];
  if (upstream === undefined) return fail(noSuchId(id, grads.length));
  if (!isSameShape(upstream.shape, node.value.shape)) {
    return fail(shapeIssue("tape/gradient-shape", id, "the gradient slot", upstream.shape, node.value.shape));
  }
  const contributions = node.backward(upstream);
  if (!contributions.ok) return contributions;
  for (const { parent, cotangent } of contributions.value) {
    const added = addGradAll(algebra, tape, grads, parent, cotangent);
    if (!added.ok) return added;
  }
  return ok(undefined);
}

/**
 * Pulls a dense cotangent context back through the tape: the step for ids `n − 1, …, 0`.
 * Shapes: `seed[i]` has the shape of node `i`; so has the result.
 * Law: equals `backpropAllCtx` of the graph the tape was compiled from [SEMANTICS §5.2].
 * Fails: `tape/seed-length`, and as the step does. Cost: one visit per node; no recursion.
 */
export function backwardDenseFrom<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: readonly Tensor<S>[],
): Result<readonly Tensor<S>[], Issue> {
  if (seed.length !== tape.length) {
    return fail({
      code: "tape/seed-length",
      pointer: "",
      message: `the seed has ${counted(seed.length, "entry", "entries")}, the tape ${counted(tape.length, "node")}.`,
      hint: "give one cotangent per node, zero where there is none",
    });
  }
  if (algebra.sum !== undefined) {
    const summed = backwardSummed(algebra, tape, new Map(seed.entries()));
    return summed.ok ? ok(seed.map((g, id) => summed.value.get(id) ?? g)) : summed;
  }
  const grads = [...seed];
  for (let id = tape.length - 1; id >= 0; id--) {
    const step = backwardDenseFromStep(algebra, tape, grads, id);
    if (!step.ok) return step;
  }
  return ok(grads);
}

/**
 * Is {@link backwardDenseFrom} a context that is zero but for `seed` at `outId`. Fails: `tape/id`, and
 * `tape/gradient-shape` if the seed's shape is not the node's, whether or not that requires a gradient.
 */
export function backwardDenseAll<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  outId: number,
  seed: Tensor<S>,
): Result<readonly Tensor<S>[], Issue> {
  const misfit = seedMisfit(tape, outId, seed);
  if (misfit !== undefined) return fail(misfit);
  const grads = tape.map(({ value }, id) => (id === outId ? seed : zeros(algebra, value.shape)));
  return backwardDenseFrom(algebra, tape, grads);
}

/**
 * Is {@link backwardDenseAll} that visits only ids with a gradient; the others are zero. So what stands
 * beside the output does not matter: 0 · ∞ of a `1 / x` at 0. Law: equals {@link backwardDenseAll} if every
 * `backward` on the tape is zero-preserving, over floats up to zeros' signs. Source: TorchLean, in its newer
 * form [SEMANTICS §4.9].
 */
export function backwardDenseReached<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  outId: number,
  seed: Tensor<S>,
): Result<readonly Tensor<S>[], Issue> {
  const misfit = seedMisfit(tape, outId, seed);
  if (misfit !== undefined) return fail(misfit);
  if (algebra.sum !== undefined) {
    const summed = backwardSummed(algebra, tape, new Map([[outId, seed]]));
    return summed.ok
      ? ok(tape.map(({ value }, id) => summed.value.get(id) ?? zeros(algebra, value.shape)))
      : summed;
  }
  const grads = tape.map(({ value }, id) => (id === outId ? seed : zeros(algebra, value.shape)));
  const reached = new Set([outId]);
  for (let id = outId; id >= 0; id--) {
    const node = tape[id];
    const upstream = grads[id];
    if (node === undefined || upstream === undefined || !reached.has(id) || !node.requiresGrad) continue;
    const contributions = node.backward(upstream);
    if (!contributions.ok) return contributions;
    for (const { parent, cotangent } of contributions.value) {
      const added = addGradAll(algebra, tape, grads, parent, cotangent);
      if (!added.ok) return added;
      reached.add(parent);
    }
  }
  return ok(grads);
}

/** Finds why a seed does not fit an id, if it does not. */
function seedMisfit<S>(tape: Tape<S>, outId: number, seed: Tensor<S>): Issue | undefined {
  const out = tape[outId];
  if (out === undefined) return noSuchId(outId, tape.length);
  if (isSameShape(seed.shape, out.value.shape)) return undefined;
  return shapeIssue("tape/gradient-shape", outId, "the gradient slot", seed.shape, out.value.shape);
}

/**
 * Sweeps sparsely: visits only ids that received a gradient, and returns entries for those alone. Law: agrees
 * with {@link backwardDenseAll} on them if every `backward` on the tape is zero-preserving; `0 · ∞` breaks
 * that, which is why both forms exist. Fails: as {@link backwardDenseAll} does.
 */
export function backward<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  outId: number,
  seed: Tensor<S>,
): Result<ReadonlyMap<number, Tensor<S>>, Issue> {
  const misfit = seedMisfit(tape, outId, seed);
  if (misfit !== undefined) return fail(misfit);
  if (algebra.sum !== undefined) return backwardSummed(algebra, tape, new Map([[outId, seed]]));
  const grads = new Map([[outId, seed]]);
  for (let id = outId; id >= 0; id--) {
    const node = tape[id];
    const upstream = grads.get(id);
    if (node === undefined || upstream === undefined || !node.requiresGrad) continue;
    const contributions = node.backward(upstream);
    if (!contributions.ok) return contributions;
    for (const { parent, cotangent } of contributions.value) {
      const added = addGradSparse(algebra, tape, grads, parent, cotangent);
      if (!added.ok) return added;
    }
  }
  return ok(grads);
}

/** Both sweeps if the algebra has its own sums: a slot's terms wait for its turn, and are summed as one. */
function backwardSummed<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seeds: ReadonlyMap<number, Tensor<S>>,
): Result<ReadonlyMap<number, Tensor<S>>, Issue> {
  const terms = new Map<number, Tensor<S>[]>();
  seeds.forEach((seed, id) => {
    terms.set(id, [seed]);
  });
  const grads = new Map<number, Tensor<S>>();
  for (let id = tape.length - 1; id >= 0; id--) {
    const [node, own] = [tape[id], terms.get(id)];
    if (node === undefined || own === undefined) continue;
    const odd = node.requiresGrad
      ? own.find(({ shape }) => !isSameShape(shape, node.value.shape))
      : undefined;
    if (odd !== undefined) {
      return fail(shapeIssue("tape/gradient-shape", id, "the gradient slot", odd.shape, node.value.shape));
    }
    const upstream = sumTensors(algebra, own);
    grads.set(id, upstream);
    if (!node.requiresGrad) continue;
    const contributions = node.backward(upstream);
    if (!contributions.ok) return contributions;
    for (const { parent, cotangent } of contributions.value) {
      const reader = tape[parent];
      if (reader === undefined) return fail(noSuchId(parent, tape.length));
      if (!reader.requiresGrad) continue;
      if (!isSameShape(cotangent.shape, reader.value.shape)) {
        const [is, should] = [cotangent.shape, reader.value.shape];
        return fail(shapeIssue("tape/contribution-shape", parent, "a contribution", is, should));
      }
      terms.set(parent, [...(terms.get(parent) ?? []), cotangent]);
    }
  }
  return ok(grads);
}

/** Is {@link addGradAll} where a missing slot takes the contribution itself, with no zero added. */
function addGradSparse<S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  grads: Map<number, Tensor<S>>,
  pid: number,
  g: Tensor<S>,
): Result<void, Issue> {
  const node = tape[pid];
  if (node === undefined) return fail(noSuchId(pid, tape.length));
  if (!node.requiresGrad) return ok(undefined);
  if (!isSameShape(g.shape, node.value.shape)) {
    return fail(shapeIssue("tape/contribution-shape", pid, "a contribution", g.shape, node.value.shape));
  }
  const slot = grads.get(pid);
  grads.set(pid, slot === undefined ? g : addTensors(algebra, slot, g));
  return ok(undefined);
}

/** Writes the issue of an id that is outside a tape of this size. */
export function noSuchId(id: number, size: number): Issue {
  return {
    code: "tape/id",
    pointer: `/${id}`,
    message: `there is no id ${id} among ${size}.`,
    hint: "ids count from 0 in the order nodes were added",
  };
}

function shapeIssue(code: string, id: number, what: string, got: Shape, want: Shape): Issue {
  return {
    code,
    pointer: `/${id}`,
    message: `${what} at id ${id} has shape ${formatShape(got)}, the node ${formatShape(want)}.`,
    hint: "a cotangent has the shape of the value it belongs to",
  };
}
