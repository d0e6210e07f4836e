// House rules of the source tree. Each message says what to do instead.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const MAX_LINES = 400;

/** Files that may be longer, and why. */
const LONG_FILES: Readonly<Record<string, string>> = {
  "sim/api/types/core.ts": "declarations of one API group, without code",
};

/** What must not stand in src/sim, and what to use. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bnew Date\b|\bDate\.now\b/, "the clock: use ctx.now and sim/api/time.ts"],
  [/\bMath\.(random|log\w*|pow|exp|sin|cos|tan)\b/, "engines round differently: use ctx.rand, ctx.latency and integer tables"],
  [/\b(setTimeout|setInterval|queueMicrotask|requestAnimationFrame|performance)\b/, "the platform's timers: use ctx.after"],
  [/\basync\b|\bawait\b|\byield\b|\bfunction\s*\*|\bnew Promise\b/, "a hidden local cannot be forked: keep the step in the state"],
  [/\bconsole\b|\bfetch\(|\bwindow\.|\bdocument\.(body|cookie|create|get|query|add)/, "I/O: explain with ctx.explain"],
  [/\.localeCompare\b|\bIntl\b|\.toLocale\w+\b/, "the machine's language: compare with <"],
];

type Rule = { readonly layer: RegExp; readonly mayImport: readonly RegExp[]; readonly mayImportTypes?: readonly RegExp[]; readonly say: string };

const COMPONENTS = "etcd|kube-apiserver|kube-scheduler|kube-controller-manager|kubelet|cri|cni|csi|kube-proxy|coredns|registry|process|kubectl|users|webhook|metrics-server|internet|network-policy|ingress-nginx|load-balancer";

/** Who may import whom: the first rule that fits a file decides. `$1` is the layer's first group. */
const LAYERS: readonly Rule[] = [
  { layer: /^trace\//, mayImport: [/^trace\//], say: "the trace is read by all and reads none" },
  { layer: /^sim\/kernel\//, mayImport: [/^sim\/kernel\//, /^trace\//], mayImportTypes: [/^sim\/api\//], say: "the kernel knows no component" },
  { layer: /^sim\/api\//, mayImport: [/^sim\/api\//], mayImportTypes: [/^sim\/kernel\/types/, /^trace\//], say: "sim/api is below everything" },
  { layer: /^sim\/client-go\//, mayImport: [/^sim\/(kernel|api|client-go)\//], say: "client-go knows the wire, not the servers" },
  { layer: /^sim\/latencies\/registry/, mayImport: [/^sim\/latencies\//], mayImportTypes: [/^sim\/kernel\//], say: "tables only" },
  { layer: /^sim\/latencies\//, mayImport: [], mayImportTypes: [/^sim\/kernel\//], say: "tables only" },
  { layer: /^sim\/manifest\//, mayImport: [/^sim\/(api|manifest)\//], say: "manifests are read with sim/api alone" },
  { layer: /^sim\/faults\//, mayImport: [/^sim\/(kernel|api|faults)\//], mayImportTypes: [/^sim\/scenarios\/recipe/], say: "a fault acts by kernel actions and messages, never by a component's code" },
  { layer: new RegExp(`^sim/(${COMPONENTS})/`), mayImport: [/^sim\/(kernel|api|client-go)\//, /^trace\//, /^sim\/$1\//], mayImportTypes: [/\/messages\.ts$/], say: "components meet in messages: import type from the other's messages.ts" },
  { layer: /^sim\//, mayImport: [/^sim\//, /^trace\//], say: "src/sim knows nothing of the page" },
  { layer: /^worker\/(client|protocol)/, mayImport: [/^trace\//, /^worker\/(client|protocol|worker)/], mayImportTypes: [/^sim\//], say: "the page's side of the worker runs no simulation" },
  { layer: /^worker\//, mayImport: [/^(sim|trace|worker)\//], say: "the worker runs the simulation and nothing of the page" },
  { layer: /^timeline\//, mayImport: [/^(timeline|trace)\//, /^worker\/(client|protocol)/], mayImportTypes: [/^sim\/api\//, /^worker\//], say: "the timeline reads the trace" },
  { layer: /^content\//, mayImport: [/^content\//], mayImportTypes: [/^(trace|worker|sim\/api)\//], say: "content is data" },
  { layer: /^ui\/(app|theme|widgets)\//, mayImport: [/^(ui|timeline|trace|content)\//], mayImportTypes: [/^worker\/protocol/, /^sim\/api\//], say: "the page shows a trace; it runs nothing" },
  { layer: /^ui\/([^/]+)\//, mayImport: [/^ui\/(theme|widgets)\//, /^ui\/$1\//, /^(timeline|trace|content)\//], mayImportTypes: [/^worker\/protocol/, /^sim\/api\//], say: "a panel imports no other panel; shared pieces go to ui/widgets" },
  { layer: /^cli\//, mayImport: [/^(cli|sim|trace)\//], say: "the command line is a front to sim and trace" },
  { layer: /^main\.tsx$/, mayImport: [/^(ui|timeline)\//], say: "main.tsx mounts the page" },
];

/** Imports that break a rule on purpose: "file -> imported", and why. */
const LAYER_EXCEPTIONS: Readonly<Record<string, string>> = {
  "sim/api/ids.ts -> sim/kernel/random.ts": "uids of the settled world come from the same keyed generator as the run's",
};

/** Arithmetic of controllers that do not run yet: held to upstream's cases by the conformance runner. */
const RULES_WITHOUT_CONTROLLER = ["cronjob/schedule.ts", "cronjob/utils.ts"];

/** A folder whose files must all be reachable from its registry, but for those listed, which are not entries. */
const REGISTRIES: readonly { readonly folder: string; readonly registry: string; readonly others?: readonly string[] }[] = [
  { folder: "sim/faults", registry: "sim/faults/registry.ts", others: ["messages.ts", "params.ts", "resolve.ts"] },
  { folder: "sim/latencies", registry: "sim/latencies/registry.ts" },
  { folder: "sim/scenarios/catalogue", registry: "sim/scenarios/registry.ts" },
  { folder: "sim/scenarios/worlds", registry: "sim/scenarios/worlds/registry.ts" },
  { folder: "sim/kube-scheduler/plugins", registry: "sim/kube-scheduler/plugins/registry.ts" },
  { folder: "sim/kube-apiserver/admission", registry: "sim/kube-apiserver/admission/registry.ts" },
  { folder: "sim/kube-controller-manager", registry: "sim/kube-controller-manager/registry.ts", others: ["messages.ts", "controller-manager.ts", ...RULES_WITHOUT_CONTROLLER] },
  { folder: "cli/commands", registry: "cli/commands/registry.ts" },
  { folder: "cli/conformance/adapters", registry: "cli/conformance/adapters.ts" },
];

/** Where code is entered from outside; what none of them reaches is dead. */
const ENTRIES = ["main.tsx", "worker/worker.ts", "cli/main.ts", "cli/bench.ts", "cli/fuzz/fuzz.ts", "cli/soak/soak.ts", "sim/cluster.ts"];
const NOT_REACHED: readonly RegExp[] = [/\.test\.tsx?$/, /\/testdata\//, /\.d\.ts$/];

// --- reading the tree -----------------------------------------------------------------------------------------------

const src = dirname(fileURLToPath(import.meta.url));

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [relative(src, join(folder, entry.name)).replaceAll("\\", "/")]));
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const files = walk(src).filter((file) => /\.tsx?$/.test(file)).sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));
const textOf = (file: string): string => texts.get(file) ?? "";

/** Code without comments and texts, line for line. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (part) => part.replaceAll(/[^\n]/g, " "));
}

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

/** The files that a file imports by a relative path, also lazily and as a worker. */
function importsOf(file: string): readonly Import[] {
  const found = textOf(file).matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^"'`;]*?\sfrom\s+)?["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']\s*\)|new URL\(\s*["'](\.[^"']+)["'],\s*import\.meta\.url/gm);
  return [...found].map(([, type, fixed, lazy, url]) => ({ target: posix.join(posix.dirname(file), (fixed ?? lazy ?? url ?? "").replace(/\?.*$/, "")), typeOnly: type !== undefined }));
}

function reachable(entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const queue = entries.filter((entry) => texts.has(entry));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...importsOf(file).map((found) => found.target).filter((target) => texts.has(target)));
  }
  return seen;
}

// --- the rules ------------------------------------------------------------------------------------------------------

describe("house rules", () => {
  test("src/sim is pure", () => {
    const found = files.filter((file) => file.startsWith("sim/") && !isTest(file)).flatMap((file) =>
      codeOf(textOf(file)).split("\n").flatMap((line, i) =>
        BANNED.flatMap(([word, say]) => {
          const match = word.exec(line);
          return match ? [`${file}:${i + 1}: ${match[0]} is banned (${say})`] : [];
        })));
    expect(found).toEqual([]);
  });

  test("layers import only what is below them", () => {
    const found = files.filter((file) => !isTest(file) && !file.includes("/testdata/")).flatMap((file) => {
      const rule = LAYERS.find((candidate) => candidate.layer.test(file));
      if (!rule) return file.includes("/") ? [`${file}: no layer: add its folder to the table in tidy.test.ts`] : [];
      const own = rule.layer.exec(file)?.[1] ?? "";
      const fits = (patterns: readonly RegExp[] | undefined, target: string): boolean => patterns?.some((pattern) => new RegExp(pattern.source.replace("$1", own)).test(target)) ?? false;
      return importsOf(file)
        .filter(({ target, typeOnly }) => !fits(rule.mayImport, target) && !(typeOnly && fits(rule.mayImportTypes, target)) && !(`${file} -> ${target}` in LAYER_EXCEPTIONS))
        .map(({ target, typeOnly }) => `${file} imports ${typeOnly ? "types of " : ""}${target}: ${rule.say}`);
    });
    expect(found).toEqual([]);
  });

  test("a file is one concept", () => {
    const found = files.filter((file) => !isTest(file) && !file.endsWith(".generated.ts") && !(file in LONG_FILES)).flatMap((file) => {
      const lines = textOf(file).split("\n").length - 1;
      return lines > MAX_LINES ? [`${file} has ${lines} lines (at most ${MAX_LINES}): split it, or say in LONG_FILES why not`] : [];
    });
    expect(found).toEqual([]);
  });

  test("nothing is left for later", () => {
    // Put together here, so that this file does not find itself.
    const marks = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b|\\.(skip|only|fixme)\\((?!!|is)`);
    const found = files.filter((file) => !file.endsWith(".generated.ts")).flatMap((file) => textOf(file).split("\n").flatMap((line, i) => (marks.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])));
    expect(found).toEqual([]);
  });

  test.each(REGISTRIES)("every file of $folder is in its registry", ({ folder, registry, others = [] }) => {
    const listed = reachable([registry]);
    const found = files.filter((file) => file.startsWith(`${folder}/`) && !isTest(file) && !file.includes("/testdata/") && file !== registry && !others.includes(file.slice(folder.length + 1)) && !listed.has(file));
    expect(found.map((file) => `${file} is not reached from ${registry}: add its line there`)).toEqual([]);
    expect(texts.has(registry), `${registry} is missing`).toBe(true);
  });

  test("every file is used", () => {
    const used = reachable(ENTRIES);
    const found = files.filter((file) => !used.has(file) && !NOT_REACHED.some((pattern) => pattern.test(file)));
    expect(found.map((file) => `${file} is reached from none of ${ENTRIES.join(", ")}: use it or delete it`)).toEqual([]);
  });

  test("exceptions are still needed", () => {
    const lines = Object.keys(LONG_FILES).filter((file) => textOf(file).split("\n").length - 1 <= MAX_LINES);
    const imports = Object.keys(LAYER_EXCEPTIONS).filter((pair) => !importsOf(pair.split(" -> ")[0] ?? "").some(({ target }) => pair.endsWith(` -> ${target}`)));
    expect([...lines, ...imports]).toEqual([]);
  });
});

// --- what is simplified ---------------------------------------------------------------------------------------------

interface Simplification {
  readonly file: string;
  readonly text: string;
}

/** The marks "// Simplified: ..." of src/sim with the rest of their comment, in order of files. */
function collectSimplified(): readonly Simplification[] {
  return files.filter((file) => file.startsWith("sim/") && !isTest(file) && !file.endsWith(".generated.ts")).flatMap((file) => {
    const comments = textOf(file).matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n?)+|\/\/[^\n]*/gm);
    return [...comments].flatMap(([comment]) => {
      const text = comment.replaceAll(/^\s*(\/\*+|\*+\/|\*|\/\/)\s?/gm, "").replace(/\*+\/\s*$/, "").replaceAll(/\s+/g, " ").trim();
      return text.split("Simplified: ").slice(1).map((part) => ({ file: `src/${file}`, text: part.trim() }));
    });
  });
}

test("the list of simplifications is up to date (npx vitest run src/tidy.test.ts -u)", async () => {
  const rows = collectSimplified().map(({ file, text }) => `  { file: ${JSON.stringify(file)}, text: ${JSON.stringify(text)} },\n`);
  const generated = `// Generated from the marks "Simplified:" in src/sim by src/tidy.test.ts: npx vitest run src/tidy.test.ts -u\n\n/** Where the simulation does less than Kubernetes. */\nexport const SIMPLIFIED: readonly { readonly file: string; readonly text: string }[] = [\n${rows.join("")}];\n`;
  await expect(generated).toMatchFileSnapshot("sim/simplified.generated.ts");
});
