export { javascript } from "./backend.ts";
