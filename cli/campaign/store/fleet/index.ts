/** A fleet: the jobs of a campaign over Redis, for machines that come and go. */
export { Coordinator } from "./coordinator.ts";
export { countsText, healthLines, healthOf } from "./health.ts";
export { Machine } from "./machine.ts";
export { addressOf, type Connection, masked, openRedis, type TlsFiles } from "./redis.ts";
