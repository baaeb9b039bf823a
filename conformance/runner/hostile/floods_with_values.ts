/** Answers with a line that is short enough, and holds more than a million of empty lists. */
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", ({ id }) =>
  writeAll(`{"id":${id},"kind":"tensors","tensors":[${"[],".repeat(1_200_000)}[]]}\n`),
);
