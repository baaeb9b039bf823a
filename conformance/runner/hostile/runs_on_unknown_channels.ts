/** Sends on a channel that is no name. */
import { honest, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind === "run")
    say({ ...honest(request), sent: [{ channel: "", value: { shape: [], data: ["0x1p+0"] } }] });
  else say(honest(request));
});
