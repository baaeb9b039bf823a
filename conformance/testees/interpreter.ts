import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { serve } from "./kit/serve.ts";

// The project's own interpreter behind a pipe: what the pipe costs, and the example of an adapter that has no library.
if (import.meta.main) await serve(interpreterEngine());
