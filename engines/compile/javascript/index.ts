export { buildAs, javascript } from "./backend.ts";
