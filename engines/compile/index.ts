/** Graphs compiled to functions, and the engines that the judge asks of them. */
export { compile } from "./browser.ts";
export { javascriptEngine } from "./javascript_engine.ts";
