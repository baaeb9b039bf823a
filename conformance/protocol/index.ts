/** Lines of a stream, with a limit to their length. */
export { LineSplitter, MAXIMUM_LINE_BYTES } from "./lines.ts";
