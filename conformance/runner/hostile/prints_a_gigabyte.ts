/** Prints a gigabyte without a newline. */
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", () => {
  const megabyte = Buffer.alloc(2 ** 20, "x");
  for (let i = 0; i < 1024; i++) writeAll(megabyte);
});
