/** Says that it keeps values in float16, which is no fault. */
import { honest, introduction, listen, say } from "./honest.ts";

listen((request) => {
  if (request.kind !== "hello") say(honest(request));
  else say({ id: request.id, ...introduction, saved: "float16" });
});
