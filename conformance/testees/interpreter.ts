import { interpreterEngine } from "../../engines/index.ts";
import { serve } from "./kit.ts";

// The project's own interpreter behind a pipe: what the pipe costs, and the example of an adapter that has no library.
if (import.meta.main) await serve(interpreterEngine());
