/** Greets people on standard output before it answers. */
import { honest, listen, say, writeAll } from "./honest.ts";

writeAll("Welcome to Honest 1.0!\n");
listen((request) => say(honest(request)));
