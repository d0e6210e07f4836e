// Models kubernetes/pkg/kubeapiserver/authenticator/config.go and apiserver/pkg/authentication
import type { Credential } from "../../api/http.ts";

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Who is asking: a client certificate's CN and O, a bound service account token's subject, or nobody. Undefined is a
 * 401: a credential that was shown and is not valid is never treated as anonymous.
 */
export function authenticate(credential: Credential, expired: readonly string[] = []): User | undefined {
  if (expired.includes(credential.name)) return undefined;
  switch (credential.kind) {
    case "client-certificate":
      return { name: credential.name, groups: [...(credential.groups ?? []), "system:authenticated"] };
    case "service-account-token": {
      const m = SERVICE_ACCOUNT.exec(credential.name);
      return m ? { name: credential.name, groups: ["system:serviceaccounts", `system:serviceaccounts:${m[1] ?? ""}`, "system:authenticated"] } : undefined;
    }
    // Simplified: upstream also knows static token files, bootstrap tokens, OIDC and webhooks; kubeadm enables none of them for users.
    case "bearer-token":
      return undefined;
    case "none":
      return { name: "system:anonymous", groups: ["system:unauthenticated"] };
  }
}

/** How a reader is told what proved it. */
export function proofText(credential: Credential): string {
  switch (credential.kind) {
    case "client-certificate":
      return `client certificate CN=${credential.name}${credential.groups?.length ? `, O=${credential.groups.join(",")}` : ""}`;
    case "service-account-token":
      return "bound service account token";
    case "bearer-token":
      return "bearer token";
    case "none":
      return "no credential";
  }
}
