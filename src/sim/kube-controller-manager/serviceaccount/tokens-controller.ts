// Models kubernetes/pkg/controller/serviceaccount/tokens_controller.go
import { base64Encode } from "../../api/base64.ts";
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { KubeObject } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { objectPath, pathOf } from "../resources.ts";
import { rootCA } from "../rootcacertpublisher/root-ca-cert-publisher.ts";
import { legacyToken } from "./legacy-token.ts";

const ID = "serviceaccount-token-controller";
const RESOURCES = ["serviceaccounts", "secrets"] as const;
const TYPE = "kubernetes.io/service-account-token";
const NAME = "kubernetes.io/service-account.name";
const UID = "kubernetes.io/service-account.uid";

type Secret = KubeObject & { readonly type?: string; readonly data?: Readonly<Record<string, string>> };
type Account = KubeObject & { readonly secrets?: readonly { readonly name?: string }[] };

type Data = { readonly step: "account" | "secret" | "reference"; readonly name: string } | { readonly step: "done" };

/** One key a Secret or an account: "secret NAMESPACE/NAME/UID/ACCOUNT/ACCOUNT-UID", "account NAMESPACE/NAME/UID". */
function handle(change: Change, resource: string): Handled<unknown> {
  const { object } = change;
  const { name = "", namespace = "", uid = "", annotations } = object.metadata;
  // Only a deletion gives an account anything to do.
  if (resource === "serviceaccounts") return change.type === "delete" ? { keys: [{ key: `account ${namespace}/${name}/${uid}` }] } : {};
  if ((object as Secret).type !== TYPE) return {};
  return { keys: [{ key: `secret ${namespace}/${name}/${uid}/${annotations?.[NAME] ?? ""}/${annotations?.[UID] ?? ""}` }] };
}

const ofUid = <T extends KubeObject>(object: T | undefined, uid: string): T | undefined => (object && (uid === "" || object.metadata.uid === uid) ? object : undefined);
const accountPath = (namespace: string, name: string): string => pathOf("ServiceAccount", namespace, name);
const remove = (secret: KubeObject): ApiCall => ({ method: "DELETE", path: objectPath(secret), body: { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: secret.metadata.uid } }, subject: `secret/${objectKey(secret)}` });

class Tokens {
  private readonly ca: string;

  constructor(config: ControllerConfig) {
    this.ca = base64Encode(rootCA(config.world));
  }

  sync(key: string, view: View): Plan<Data> {
    const [namespace = "", name = "", uid = "", accountName = "", accountUid = ""] = key.slice(key.indexOf(" ") + 1).split("/");
    if (key.startsWith("account ")) return this.accountGone(namespace, name, uid, view);
    const secret = ofUid(view.get<Secret>("secrets", `${namespace}/${name}`), uid);
    const account = ofUid(view.get<Account>("serviceaccounts", `${namespace}/${accountName}`), accountUid);
    if (!secret) return account ? { batches: [[{ method: "GET", path: accountPath(namespace, accountName), subject: `serviceaccount/${namespace}/${accountName}` }]], next: { step: "reference", name } } : {};
    if (account) return this.populate(secret);
    if (accountName === "") return { batches: [[remove(secret)]], next: { step: "done" } };
    return { batches: [[{ method: "GET", path: accountPath(namespace, accountName), subject: `serviceaccount/${namespace}/${accountName}` }]], next: { step: "account", name: accountName } };
  }

  private accountGone(namespace: string, name: string, uid: string, view: View): Plan<Data> {
    if (ofUid(view.get<Account>("serviceaccounts", `${namespace}/${name}`), uid)) return {};
    const tokens = view.byIndex<Secret>("tokensByAccount", `${namespace}/${name}`).filter((secret) => secret.metadata.annotations?.[UID] === uid);
    if (tokens.length === 0) return {};
    return { batches: [tokens.map(remove)], next: { step: "done" }, notes: [{ text: `serviceaccount-token-controller deletes the tokens of ServiceAccount ${name}`.slice(0, 138), why: "the account does not exist any more", subject: `serviceaccount/${namespace}/${name}`, level: "basic", status: "idle" }] };
  }

  private needsUpdate({ data }: Secret): boolean {
    return data?.["ca.crt"] !== this.ca || !data["namespace"] || !data["token"];
  }

  /** The server's own copy is filled in, if the cache was right about it. */
  private populate(secret: Secret): Plan<Data> {
    return this.needsUpdate(secret) ? { batches: [[{ method: "GET", path: objectPath(secret), subject: `secret/${objectKey(secret)}` }]], next: { step: "secret", name: secret.metadata.resourceVersion ?? "" } } : {};
  }

  resume(key: string, data: Data, [answer]: readonly Answer[], view: View): Plan<Data> {
    const [namespace = "", name = "", uid = "", accountName = "", accountUid = ""] = key.slice(key.indexOf(" ") + 1).split("/");
    if (answer === undefined) return {};
    if (data.step === "done") return isSuccess(answer) || answer.status === 404 || answer.status === 409 ? {} : { error: messageOf(answer) };
    if (!isSuccess(answer) && answer.status !== 404) return { error: messageOf(answer) };
    const found = isSuccess(answer) ? (answer.body as KubeObject) : undefined;
    if (data.step === "reference") return this.dropReference(found as Account | undefined, accountUid, data.name);
    const secret = ofUid(view.get<Secret>("secrets", `${namespace}/${name}`), uid);
    if (!secret) return {};
    if (data.step === "account") return ofUid(found, accountUid) ? this.populate(secret) : { batches: [[remove(secret)]], next: { step: "done" } };
    const account = ofUid(view.get<Account>("serviceaccounts", `${namespace}/${accountName}`), accountUid);
    return !found || !account || found.metadata.resourceVersion !== data.name ? {} : this.filled(found as Secret, account);
  }

  private dropReference(account: Account | undefined, uid: string, secret: string): Plan<Data> {
    if (!ofUid(account, uid) || !account?.secrets?.some((entry) => entry.name === secret)) return {};
    const body: Account = { ...account, secrets: account.secrets.filter((entry) => entry.name !== secret) };
    return { batches: [[{ method: "PUT", path: objectPath(account), body, subject: `serviceaccount/${objectKey(account)}` }]], next: { step: "done" } };
  }

  private filled(secret: Secret, account: Account): Plan<Data> {
    if (!this.needsUpdate(secret)) return {};
    const { namespace = "", name = "" } = secret.metadata;
    const owner = { name: account.metadata.name ?? "", uid: account.metadata.uid ?? "" };
    const data = { ...secret.data, "ca.crt": this.ca, namespace: secret.data?.["namespace"] || base64Encode(namespace), token: secret.data?.["token"] || base64Encode(legacyToken(namespace, owner, name)) };
    const body: Secret = { ...secret, metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [NAME]: owner.name, [UID]: owner.uid } }, data };
    return {
      batches: [[{ method: "PUT", path: objectPath(secret), body, subject: `secret/${namespace}/${name}` }]],
      next: { step: "done" },
      notes: [{ text: `serviceaccount-token-controller writes a token into Secret ${name}`.slice(0, 138), why: `its type is ${TYPE}: a token of ServiceAccount ${owner.name} that does not expire`, subject: `secret/${namespace}/${name}`, level: "basic", status: "idle" }],
    };
  }
}

/** Fills Secrets of type service-account-token, and removes those whose account is gone. */
export function createTokensController(config: ControllerConfig): Component<ControllerState<Data>> {
  const tokens = new Tokens(config);
  return createController<Data, unknown>(
    {
      id: ID,
      account: "tokens-controller",
      rootClient: true,
      resources: RESOURCES,
      indexers: { tokensByAccount: { resource: "secrets", values: (object) => ((object as Secret).type === TYPE ? [`${object.metadata.namespace ?? ""}/${object.metadata.annotations?.[NAME] ?? ""}`] : []) } },
      workers: 10,
      maxRetries: 10,
      latency: "controller.sync",
      memory: undefined,
      handle,
      sync: (key, view) => tokens.sync(key, view),
      resume: (key, data, answers, view) => tokens.resume(key, data, answers, view),
    },
    config,
  );
}

export const tokensWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
