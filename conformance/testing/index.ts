/**
 * The door for people's own tests, of any runner: cases as fast-check draws them, and an assertion that says what is wrong. What asks the truth is loaded when it
 * is first asked, so that CommonJS can open this door with `require`.
 */
export * from "../../oracle/generate/index.ts";
export * from "./expect_gradients.ts";
