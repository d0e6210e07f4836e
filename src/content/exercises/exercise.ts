/** The parts of a cluster that can be named as the place of a fault. */
export const PLACES = {
  kubectl: "the workstation and its credentials",
  apiserver: "kube-apiserver",
  webhook: "an admission webhook",
  etcd: "etcd",
  scheduler: "kube-scheduler",
  controllers: "kube-controller-manager",
  registry: "the image or its registry",
  storage: "the storage system (CSI)",
  cni: "the network plugin (CNI) of a node",
  proxy: "kube-proxy",
  dns: "CoreDNS",
  network: "the network between machines",
  kubelet: "the kubelet of a node",
  runtime: "containerd of a node",
  application: "the application in the container",
  node: "the machine of a node",
  manifest: "the manifest",
} as const;
export type Place = keyof typeof PLACES;

/** A manifest, and what is typed after it. */
export interface Story {
  readonly file: string;
  readonly text: string;
  /** Second, and the words after "kubectl". */
  readonly after?: readonly (readonly [second: number, ...argv: string[]])[];
  /** Default: the first world. */
  readonly world?: string;
}

/** Something is wrong, and the learner finds out what. */
export interface Exercise {
  /** Names it in the data and in tests; never shown while it is open. */
  readonly name: string;
  readonly story: Story;
  /** What is broken, from which second on. Without it the manifest is wrong, and `fixed` is right. */
  readonly fault?: { readonly id: string; readonly params?: Readonly<Record<string, string | number | boolean>>; readonly at: number };
  readonly fixed?: Pick<Story, "text" | "after">;
  /** Where the learner begins (seconds). */
  readonly look: number;
  /** What a user says. */
  readonly complaint: string;
  readonly place: Place;
  readonly cause: string;
  /** From vague to precise; `commands` are named after the last. */
  readonly hint: string;
  /** kubectl command lines that show it at `look`, and would say something else in a healthy cluster. */
  readonly commands: readonly string[];
}

/** A name that says nothing, for links: the same for the same exercise. */
export function slugOf({ name }: Pick<Exercise, "name">): string {
  let hash = 0x811c9dc5;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(36);
}
