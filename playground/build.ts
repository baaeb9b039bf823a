import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { givenIn } from "./given.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");

/** Writes the playground to a path: one page that loads nothing. */
export async function buildPlayground(path: string): Promise<void> {
  const [page, worker] = await Promise.all([bundled("page.ts"), bundled("worker.ts")]);
  const style = readFileSync(join(here, "page.css"), "utf8");
  const html = readFileSync(join(here, "page.html"), "utf8");
  // The schemas are compiled to functions, and MPFR is WebAssembly: both need unsafe-eval.
  const policy = `default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(page)}' blob: 'unsafe-eval'; worker-src blob:`;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>\n</head>`;
  const scripts = `${data("examples", examples())}\n${data("worker", asScript(worker))}\n<script type="module">${page}</script>\n</body>`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    html.replace("</head>", () => head).replace("</body>", () => scripts),
  );
}

/** Bundles a module for a browser, and for a place between script tags. */
async function bundled(file: string): Promise<string> {
  const build = await rolldown({ input: join(here, file), platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false });
  await build.close();
  const [{ code, imports }] = output;
  if (imports.length > 0) throw new Error(`${file} still imports ${imports.join(", ")}`);
  return code.trim();
}

/** Makes a script of a module: browsers refuse workers that are modules to a page that is a file. */
function asScript(module: string): string {
  const code = module.replace(/export\s*\{[^{}]*\};?$/, "");
  if (/\bimport\.meta\b|[;}]export\b/.test(code)) throw new Error("the worker needs to be a module");
  return `(async()=>{${code}\n})()`;
}

function hash(text: string): string {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error("a text would end its own element");
  return createHash("sha256").update(text).digest("base64");
}

/** Writes data that the page reads as JSON. */
function data(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`;
}

/** The pages whose graphs are examples, in this order. */
const pages = ["docs/text.md", "docs/tutorial.md", "docs/your-model.md"];

/** Collects the graphs of the pages, and the files of docs/examples that have graphs. */
export function examples(): readonly { readonly name: string; readonly text: string }[] {
  const blocks = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^```\w*\n(.*?)^```/gms)].map(([, text = ""]) => ({
      name: `${/^graph (\w+)/m.exec(text)?.[1]} (${page.replace(/^docs\//, "")})`,
      text,
    })),
  );
  const folder = join(root, "docs", "examples");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".adj"))
    .toSorted()
    .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(folder, name), "utf8") }));
  return [...blocks, ...files].filter(({ text }) => givenIn(text, 0).ok);
}

if (import.meta.main) {
  const path = join(root, "docs", "built", "playground.html");
  await buildPlayground(path);
  console.log(path);
}
