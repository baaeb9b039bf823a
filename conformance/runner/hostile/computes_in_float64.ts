/** Promises float32, and answers the bait with numbers that are none: 0.1 in float64. */
import { honest, isBait, listen, say } from "./honest.ts";

const tenth = { shape: [1], data: ["0x1.999999999999ap-4"] };

listen((request) => {
  const reply = honest(request);
  if (request.kind === "hello") say({ ...reply, dtypes: ["float32"] });
  else if (request.kind === "evaluate" && isBait(request)) say({ ...reply, tensors: [tenth, tenth] });
  else say(reply);
});
