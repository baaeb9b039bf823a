/** A command line, and what it is good for. */
export type Example = readonly [line: string, purpose: string];

/** Each command's help ends with these; a test parses them all, and runs those that ask no foreign engine. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  judge: [
    ['adjudge judge -e "python3 my_adapter.py"', "judge your engine on random cases"],
    ["adjudge judge -e interpreter --suite findings --fail-fast", "ask a suite, until something is wrong"],
    ['adjudge judge -e "python3 my_adapter.py" --watch', "ask again whenever the adapter changes"],
  ],
  "campaign run": [
    ['adjudge campaign run -e "python3 my_adapter.py" --for 8h', "ask all night, and keep what is found"],
    ["adjudge campaign run -e pytorch -e jax --kind programs -n 10000", "ask two engines 10,000 programs"],
    ["adjudge campaign run -e pytorch --queue redis://host", "have other machines ask: see campaign work"],
  ],
  "campaign work": [
    ["adjudge campaign work --queue redis://host -e pytorch", "ask for the campaign that Redis has jobs of"],
    [
      "adjudge campaign work --queue rediss://host --cacert ca.pem -e jax --jobs 8",
      "ask over TLS, in 8 processes",
    ],
  ],
  "campaign report": [
    ["adjudge campaign report", "list the faults, and what broke between versions"],
    ["adjudge campaign report --site public", "write a site of all engines, with badges"],
  ],
  "campaign status": [
    ["adjudge campaign status", "tell what was asked and found so far"],
    ["adjudge campaign status --store night.db", "tell it of another campaign"],
    ["adjudge campaign status --queue redis://host", "tell of a fleet's queues and machines"],
  ],
  replay: [
    ["adjudge replay -e interpreter --profile mix --seed 1 --case 119", "ask one random case again"],
    ["adjudge replay case.adj -e interpreter -d float32 --as-is", "ask a case, and look for no smaller one"],
  ],
  smoke: [
    ["adjudge smoke -- python3 my_adapter.py", "find out why your adapter does not work"],
    ['adjudge smoke "python3 my_adapter.py" -v', "see all that it was asked"],
  ],
  init: [
    ["adjudge init --lang go", "begin an adapter in Go in this folder"],
    ["adjudge init --lang rust tools/adapter", "begin one in Rust in another"],
  ],
  "storage-profile": [
    ["adjudge storage-profile --cases 20", "put our own small framework through the points"],
    ["adjudge storage-profile --point 3 -- ./my_framework", "ask yours for one of them"],
  ],
  run: [
    ["adjudge run graph.adj -a rational -i x=1/3", "tell value and gradient exactly"],
    ["adjudge run graph.adj -i x=3 -c 1=2 --json", "pull back the cotangent 2 of id 1"],
  ],
  check: [
    ["adjudge check graph.adj case.adj", "say whether graphs and cases are well-formed"],
    ["adjudge check graph.adj --json", "list what is wrong as JSON"],
  ],
  show: [
    ["adjudge show case.adj", "print a case as people read it"],
    ["adjudge show graph.adj --expand", "write composites out as primitives"],
  ],
  fmt: [
    ["adjudge fmt graph.adj", "lay a text out as everybody's"],
    ["adjudge fmt graph.adj case.adj --check", "only say whether it is"],
  ],
  convert: [
    ["adjudge convert graph.adj - --to json", "print a text as JSON"],
    ["adjudge convert graph.adj graph.json", "write it to a file"],
  ],
  import: [
    ["adjudge import model.onnx model.adj", "write a model as a case, its weights as constants"],
    ["adjudge import model.onnx --wrt all", "print it with its weights as inputs"],
    ["adjudge import torchlean.json --from torchlean", "print TorchLean's graph as ours"],
  ],
  export: [
    ["adjudge export graph.adj graph.onnx", "write a graph as a model of ONNX"],
    ["adjudge export graph.adj --as torchlean", "print it in TorchLean's form"],
  ],
  emit: [
    ["adjudge emit c graph.adj gradient.c", "write a gradient as C, with its header"],
    ["adjudge emit c graph.adj --mode jvp -d float32", "print a tangent's file in float32"],
  ],
  derive: [
    ["adjudge derive graph.adj --mode vjp", "print the gradient as a graph"],
    ["adjudge derive graph.adj --mode vjp --order 2 --then jvp", "print Hessian-vector products as a graph"],
  ],
  explain: [
    ["adjudge explain graph.adj --memory", "tell what values take, and how long"],
    ["adjudge explain graph.adj -u units.json", "tell what its gradients are measured in"],
  ],
  "forward-gradient": [
    ["adjudge forward-gradient graph.adj -i x=1/3 -c 1=1", "tell how far estimates are from a gradient"],
    ["adjudge forward-gradient case.adj -e interpreter --samples 64", "judge an engine's estimates"],
  ],
  lifetimes: [
    ["adjudge lifetimes graph.adj", "chart from when to when values are needed"],
    ["adjudge lifetimes graph.adj --plan optimum --json", "print everything, with the best plan"],
  ],
  record: [
    ["adjudge record program.adj", "print the run of a program as a graph"],
    ["adjudge record program.adj --policy none --json", "print the case that engines are asked"],
  ],
  programs: [
    ["adjudge programs -e interpreter -n 50", "judge an engine on random programs"],
    ["adjudge programs program.adj -e interpreter", "ask a program of yours"],
  ],
  report: [
    ["adjudge report found.json --as junit", "print a report as CI systems read it"],
    ["adjudge report found.json --as html", "print it as a page"],
  ],
  issue: [
    ["adjudge issue found.json --finding 1", "write up a finding of a report for its authors"],
    ["adjudge issue case.adj -e jax", "write up a case of yours"],
  ],
  merge: [
    ["adjudge merge 1.json 2.json", "tell of two shards as of one run"],
    ["adjudge merge 1.json 2.json --report found.json -q", "write their report, and print findings alone"],
  ],
  compare: [
    ["adjudge compare old.json new.json", "tell what broke and what was mended"],
    ["adjudge compare old.json new.json --json", "print it as JSON"],
  ],
  prove: [
    ["adjudge prove", "prove what changes every day"],
    ["adjudge prove tape/base --explain", "show one statement, its script and its mutants"],
  ],
  "lean export": [
    ["adjudge lean export trace.json", "print a run as theorems"],
    ["adjudge lean export trace.json -o trace.lean", "write them to a file"],
    ["adjudge lean export trace.json --to torchlean", "print it as a program of TorchLean's tape"],
  ],
  "lean check": [
    ["adjudge lean check trace.json", "have Lean's kernel check a run"],
    ["adjudge lean check trace.json --json", "print the verdict as JSON"],
  ],
  "lean suite": [
    ["adjudge lean suite --sample 10", "check ten traces of the suite"],
    ["adjudge lean suite --campaign 20 --seed 2", "check random traces, right and wrong"],
  ],
  completion: [
    ["adjudge completion bash", "print what bash reads to complete command lines"],
    ["adjudge completion zsh", "print the same for zsh"],
  ],
};

/** The help of the whole begins with these. */
export const firstExamples: readonly Example[] = [
  ["adjudge judge", "judge the bundled engines on random graphs"],
  ["adjudge smoke -- python3 my_adapter.py", "find out why your adapter does not work"],
  ['adjudge judge -e "python3 my_adapter.py"', "judge your own engine"],
  ["adjudge run graph.adj -a rational -i x=1/3", "tell what the gradient is, exactly"],
];
