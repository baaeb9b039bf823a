/** Prints a gigabyte of short lines. */
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", () => {
  const megabyte = Buffer.alloc(2 ** 20, '"debug"\n');
  for (let i = 0; i < 1024; i++) writeAll(megabyte);
});
