/** Answers with bytes that are not UTF-8. */
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", ({ id }) =>
  writeAll(Buffer.from(`{"id":${id},"kind":"error","message":"dépassement"}\n`, "latin1")),
);
