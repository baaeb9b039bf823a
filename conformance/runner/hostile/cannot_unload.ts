/** Cannot free what it has loaded, and says so. */
import { hostile, say } from "./honest.ts";

hostile("unload", ({ id }) => say({ id, kind: "error", message: "the tape is still in use" }));
