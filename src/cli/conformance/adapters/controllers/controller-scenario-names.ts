import type { KubeObject } from "../../../../sim/api/types.ts";

/** The namespace that stands for "<ns>". */
export const NAMESPACE = "scenario-under-test";

const HASH_LABELS: Readonly<Record<string, readonly string[]>> = {
  ReplicaSet: ["pod-template-hash"],
  ControllerRevision: ["controller-revision-hash", "controller.kubernetes.io/hash"],
};
const LETTER: Readonly<Record<string, string>> = { ReplicaSet: "h", ControllerRevision: "r", Pod: "p", EndpointSlice: "s", Job: "m" };

/** Stands in for names that are random, in the order in which a watch saw them: "web-<h1>-<p2>". */
export class Names {
  /** What is random to what stands for it, whole names before their parts. */
  private readonly pairs: (readonly [string, string])[] = [[NAMESPACE, "<ns>"]];
  private readonly counts = new Map<string, number>();

  constructor(added: readonly KubeObject[] = []) {
    for (const object of added) this.see(object);
  }

  see(object: KubeObject): void {
    const name = object.metadata.name ?? "";
    if (this.pairs.some(([known]) => known === name)) return;
    const random = this.randomPart(object);
    if (random === undefined || random === "") return;
    const prefix = this.hide(name.slice(0, name.length - random.length));
    const count = (this.counts.get(`${object.kind} ${prefix}`) ?? 0) + 1;
    this.counts.set(`${object.kind} ${prefix}`, count);
    const shown = `<${LETTER[object.kind] ?? "x"}${count}>`;
    this.pairs.unshift([name, prefix + shown]);
    if (HASH_LABELS[object.kind]) this.pairs.push([random, shown]);
  }

  private randomPart({ kind, metadata }: KubeObject): string | undefined {
    const hash = HASH_LABELS[kind]?.map((label) => metadata.labels?.[label]).find((value) => value !== undefined);
    if (hash !== undefined) return hash;
    if (kind === "Job" && metadata.ownerReferences?.some((owner) => owner.kind === "CronJob")) return metadata.name?.split("-").at(-1);
    if (metadata.generateName === undefined || LETTER[kind] === undefined) return undefined;
    return metadata.name?.slice(metadata.generateName.length);
  }

  /** Random names as placeholders. */
  hide(text: string): string {
    return this.pairs.reduce((result, [name, shown]) => result.replaceAll(name, shown), text);
  }

  /** Placeholders as the names they stand for here. */
  show(text: string): string {
    return this.pairs.reduce((result, [name, shown]) => result.replaceAll(shown, name), text);
  }
}
