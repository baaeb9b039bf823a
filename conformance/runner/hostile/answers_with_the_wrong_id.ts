/** Answers under an id that it makes up. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => say({ ...reply, id: 123456 }));
