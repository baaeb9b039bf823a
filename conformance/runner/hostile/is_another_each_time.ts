/** Ends at the bait, and comes back under another name. */
import process from "node:process";
import { honest, isBait, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "evaluate" && isBait(request)) process.exit(0);
  const reply = honest(request);
  say(request.kind === "hello" ? { ...reply, name: `honest ${process.pid}` } : reply);
});
