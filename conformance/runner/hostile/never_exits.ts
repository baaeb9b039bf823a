/** Answers everything, and stays when its input ends. */
import { honest, listen, say } from "./honest.ts";

setInterval(() => {}, 1000);
listen((request) => say(honest(request)));
