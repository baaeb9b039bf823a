/** Writes 16 megabytes to standard error, which is allowed, and then the right answer. */
import { hostile, say, writeAll } from "./honest.ts";

hostile("evaluate", (_, reply) => {
  const megabyte = Buffer.alloc(2 ** 20, "still computing\n");
  for (let i = 0; i < 16; i++) writeAll(megabyte, 2);
  say(reply);
});
