import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { scalarSchedules, testScalarBackend } from "../../plan/scalar/backend.test.kit.ts";
import { wasmScalars } from "./executable.ts";

testScalarBackend("WebAssembly", wasmScalars(), sampled("WebAssembly", scalarSchedules, 1));
