import { interpreterEngine } from "../../engines/index.ts";
import { serve } from "./kit.ts";

// This puts the project's own interpreter behind a pipe, as an example of an adapter without a library.
if (import.meta.main) await serve(interpreterEngine());
