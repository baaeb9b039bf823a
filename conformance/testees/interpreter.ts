import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { serve } from "./kit/serve.ts";

// This puts the project's own interpreter behind a pipe, as an example of an adapter without a library.
if (import.meta.main) await serve(interpreterEngine());
