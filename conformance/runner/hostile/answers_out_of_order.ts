/** Keeps the first answer until it has given the second. */
import process from "node:process";
import { hostile, listen, type Message, say } from "./honest.ts";

hostile("evaluate", (_, kept: Message) => {
  process.stdin.removeAllListeners("data");
  listen(({ id }) => {
    say({ id, kind: "tensors", tensors: [] });
    say(kept);
  });
});
