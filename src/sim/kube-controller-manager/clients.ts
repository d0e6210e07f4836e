// Models kubernetes/cmd/kube-controller-manager/app/controllermanager.go (ClientBuilder): as whom the controllers speak
import type { ApiClient } from "../client-go/api-client.ts";

/** A controller with a service account of its own. */
export const managerClient = (account: string): ApiClient => ({
  userAgent: `kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/$Format/system:serviceaccount:kube-system:${account}`,
  credential: { kind: "service-account-token", name: `system:serviceaccount:kube-system:${account}`, groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] },
});

/** What starts before controllers have accounts of their own, as the maker of their tokens, acts as the process itself. */
export const ROOT: ApiClient = { userAgent: "kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/$Format/tokens-controller", credential: { kind: "client-certificate", name: "system:kube-controller-manager" } };

/** The identity of the process: its informers list and watch with it, whichever controller they serve. */
export const INFORMERS: ApiClient = { userAgent: "kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/$Format/shared-informers", credential: { kind: "client-certificate", name: "system:kube-controller-manager" } };
