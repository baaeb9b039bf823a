/** Promises hooks, and calls one with a tensor that is none. */
import { honest, introduction, listen, say } from "./honest.ts";

const calls = [{ id: 1, cotangent: { shape: [2], base64: "AAAA" } }];

listen((request) => {
  const { id } = request;
  if (request.kind === "hello")
    say({ ...introduction, id, tapes: { lives: ["until released"], releases: true, hooks: true } });
  else if (request.kind === "sweep") say({ ...honest(request), calls });
  else say(honest(request));
});
