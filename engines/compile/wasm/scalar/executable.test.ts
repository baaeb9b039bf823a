import { testScalarBackend } from "../../plan/scalar/backend.test.kit.ts";
import { wasmScalars } from "./executable.ts";

testScalarBackend("WebAssembly", wasmScalars());
