/** Functions with derivatives of their own, brought by whoever has them: asked, judged and told of. */
export { askFunction } from "./asking.ts";
export { type ConversationOptions, converse } from "./conversation.ts";
export { startParent } from "./parent.ts";
export { functionLines, headline } from "./told.ts";
