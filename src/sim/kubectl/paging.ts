// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/helper.go (FollowContinue): collections that come in pages
import type { KubeObject } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import { flag, type Options } from "./flags.ts";
import type { Process } from "./process.ts";

/** cmdutil.DefaultChunkSize */
const CHUNK = 500;

interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
}

/** What --chunk-size asks for: 500, another number, or with 0 everything at once. */
export function chunkOf(options: Options): Readonly<Record<string, string>> {
  const size = Number(flag(options, "chunk-size", String(CHUNK)));
  return size === 0 ? {} : { limit: String(size) };
}

export const listMetaOf = (body: unknown): ListMeta => ((body as { readonly metadata?: ListMeta } | undefined)?.metadata ?? {});

/** Every item of a collection, page after page, and the version of the last page. A refusal ends the command: a page that has expired is not asked for again. */
export function listAll(p: Process, call: Omit<ApiCall, "method">, limit: Readonly<Record<string, string>> = {}): { readonly items: readonly KubeObject[]; readonly resourceVersion: string } {
  return listWith((page) => p.must(page), call, limit) ?? { items: [], resourceVersion: "" };
}

/** The same; undefined when a page is refused. */
export const listOrNothing = (p: Process, call: Omit<ApiCall, "method">, limit: Readonly<Record<string, string>> = {}): readonly KubeObject[] | undefined => listWith((page) => {
  const answer = p.ask(page);
  return answer.status === 200 ? answer.body : undefined;
}, call, limit)?.items;

function listWith(ask: (page: ApiCall) => unknown, call: Omit<ApiCall, "method">, limit: Readonly<Record<string, string>>): { readonly items: readonly KubeObject[]; readonly resourceVersion: string } | undefined {
  const items: KubeObject[] = [];
  for (let token = ""; ; ) {
    const body = ask({ ...call, method: "GET", query: { ...call.query, ...limit, ...(token === "" ? {} : { continue: token }) } }) as { readonly items: readonly KubeObject[] } | undefined;
    if (body === undefined) return undefined;
    items.push(...body.items);
    const meta = listMetaOf(body);
    token = meta.continue ?? "";
    if (token === "") return { items, resourceVersion: meta.resourceVersion ?? "" };
  }
}
