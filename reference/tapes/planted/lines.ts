import { at, type NodeId, ok } from "../../../spec/shapes/index.ts";
import type { Tensor } from "../../tensor.ts";
import { rulesOnOperands } from "../reverse.ts";
import { asItIs, pullsOf, type Save, saving } from "../saving.ts";
import { sweepBack } from "../sweeping.ts";
import { type Pull, type Saved, type Taking, type TapeSystem, tapeSystem } from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

/** The dynamic tape, its pulls in another order, or others. */
function inOrder(order: <S>(pulls: readonly Pull<S>[]) => readonly Pull<S>[]): TapeSystem {
  return tapeSystem({
    name: "dynamic",
    summary: "",
    keep: (taking) => {
      const rules = rulesOnOperands(taking.subject);
      const { entries } = saving(taking, rules);
      return ok({
        entries,
        sweep: (seed) => sweepBack(taking, seed, order([...pullsOf(taking, entries, rules)])),
      });
    },
  });
}

/** The dynamic tape, its values put aside otherwise. */
function puttingAside(saveOf: <S>(taking: Taking<S>) => Save<S>): TapeSystem {
  return tapeSystem({
    name: "dynamic",
    summary: "",
    keep: (taking) => ok(saving(taking, rulesOnOperands(taking.subject), saveOf(taking))),
  });
}

/** It saves all values of one shape in the same room. */
function oneRoom<S>(taking: Taking<S>, isTaken: (held: Tensor<S> | undefined) => boolean): Save<S> {
  const rooms = new Map<string, Tensor<S>>();
  const save = asItIs(taking);
  return (id, value): Saved<S> => {
    const room = value.shape.join();
    if (!isTaken(rooms.get(room))) rooms.set(room, value);
    return { ...save(id, value), read: () => rooms.get(room) ?? value };
  };
}

/** The values of the two first operands, each for the other. */
function exchanged<S>(taking: Taking<S>): Save<S> {
  const kept = new Map<NodeId, Tensor<S>>();
  const other = new Map<NodeId, NodeId>();
  for (const { reads } of taking.subject.data.nodes) {
    const [x, y] = reads;
    if (x === undefined || y === undefined) continue;
    other.set(x, y);
    other.set(y, x);
  }
  return (id, value) => {
    kept.set(id, value);
    return {
      id,
      read: () => {
        const found = kept.get(other.get(id) ?? id);
        return found?.shape.join() === value.shape.join() ? found : value;
      },
    };
  };
}

/** Faults in the lines of a tape, and in the way through them. */
export const lineMutants: readonly TapeMutant[] = [
  planted(
    inOrder((pulls) => pulls.toReversed()),
    "first-to-last",
    "sweeps from the first node to the last",
  ),
  planted(
    inOrder((pulls) => pulls.slice(0, -1)),
    "stops-early",
    "stops before the first node",
  ),
  planted(
    inOrder((pulls) => pulls.slice(1)),
    "begins-late",
    "leaves the last node out",
  ),
  planted(
    inOrder((pulls) => [...pulls, ...pulls.slice(-1)]),
    "first-twice",
    "pulls the first node back twice",
  ),
  planted(
    inOrder((pulls) =>
      pulls.map((_, n) => at(pulls, n % 2 === 0 && n + 1 < pulls.length ? n + 1 : n - (n % 2))),
    ),
    "neighbours-exchanged",
    "exchanges neighbouring lines",
  ),
  planted(
    puttingAside((taking) => oneRoom(taking, () => false)),
    "buffer-reused",
    "has one buffer for values of a shape, and overwrites it",
  ),
  planted(
    puttingAside((taking) => oneRoom(taking, (held) => held !== undefined)),
    "buffer-kept",
    "takes a value of the same shape for the one that it has",
  ),
  planted(puttingAside(exchanged), "operands-exchanged", "exchanges the operands of a node"),
];
