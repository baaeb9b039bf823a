import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { type Orders, point, seedOf, subject, systemNamed } from "./workers.test.kit.ts";

/** The element says whose turn it is; those from 1 on say whether the workers have ended. */
const TURN = 0;

/** Sweeps a tape of its own, a step at a time, each when it is its turn. */
function sweepInTurns({ system, seed, place, turns, slots }: Orders): unknown {
  const state = new Int32Array(turns);
  const other = 1 - place;
  const awaitTurn = (): void => {
    while (Atomics.load(state, TURN) !== place && Atomics.load(state, 1 + other) === 0)
      Atomics.wait(state, TURN, other, 20);
  };
  const handOn = (): void => {
    Atomics.store(state, TURN, other);
    Atomics.notify(state, TURN);
  };
  const tape = systemNamed(system, slots).record(subject(), point);
  if (!tape.ok) return tape.error;
  awaitTurn();
  const sweep = tape.value.begin(seedOf(seed));
  if (!sweep.ok) return sweep.error;
  for (;;) {
    const step = sweep.value.next();
    if (step.done === true) {
      Atomics.store(state, 1 + place, 1);
      handOn();
      return step.value.slice(0, point.x.length).map(({ data }) => [...data]);
    }
    handOn();
    awaitTurn();
  }
}

if (!isMainThread) parentPort?.postMessage(sweepInTurns(workerData as Orders));
