/** Refuses a program in a megabyte of words. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "run")
    say({ id: request.id, kind: "refused", reason: "overwritten ".repeat(100_000) });
  else say(honest(request));
});
