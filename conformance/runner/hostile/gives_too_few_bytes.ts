/** Gives tensors whose bytes are fewer than their shape says. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id }) => {
  const short = { shape: [1], base64: "AAAA" };
  say({ id, kind: "tensors", tensors: [short, short] });
});
