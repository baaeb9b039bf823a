/** Fails at the handshake. */
import { listen, say } from "./honest.ts";

listen(({ id }) => say({ id, kind: "error", message: "the licence has expired" }));
