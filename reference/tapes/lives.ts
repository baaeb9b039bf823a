import { keepOperands as keep } from "./dynamic.ts";
import { type TapeSystem, tapeSystem } from "./system.ts";

/** A tape for one sweep, which frees all that it kept at the end. Refuses: another one (`tape/spent`). */
export const ephemeral: TapeSystem = tapeSystem({
  name: "ephemeral",
  summary: "the operands of every node, until they have been swept",
  life: "once",
  keep,
});

/** A tape that stays until it is released, and answers every time alike. */
export const persistent: TapeSystem = tapeSystem({
  name: "persistent",
  summary: "the operands of every node, until the tape is released",
  life: "until released",
  keep,
});
