/** Leaves out what the persistent locations hold. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "run") {
    const { state: _, ...rest } = honest(request);
    say(rest);
  } else say(honest(request));
});
