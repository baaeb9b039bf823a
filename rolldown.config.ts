import { defineConfig } from "rolldown";

/** `adjudge/compile` as one file: it is read in a tenth of the time that its modules take. */
export default defineConfig({
  input: "dist/engines/compile/browser.js",
  output: { file: "dist/compile.js", format: "esm", minify: true },
});
