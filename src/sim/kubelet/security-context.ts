// Models kubernetes/pkg/kubelet/kuberuntime/security_context.go, pkg/securitycontext/util.go and containerd's default capabilities
import { CAPABILITIES } from "../api/capabilities.ts";
import type { Container, Pod } from "../api/types.ts";
import type { Credentials } from "../process/messages.ts";

interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly fsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly seccompProfile?: { readonly type?: string };
}

/** What containerd gives a container that says nothing (pkg/oci.defaultUnixCaps). */
const DEFAULT = new Set("CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE".split(" "));

function capabilitiesOf({ privileged, capabilities }: SecurityContext): readonly string[] {
  if (privileged === true) return CAPABILITIES;
  const named = (list: readonly string[] | undefined): ReadonlySet<string> => new Set((list ?? []).map((name) => name.toUpperCase().replace(/^CAP_/, "")));
  const add = named(capabilities?.add);
  const drop = named(capabilities?.drop);
  return CAPABILITIES.filter((name) => add.has(name) || ((add.has("ALL") || (DEFAULT.has(name) && !drop.has("ALL"))) && !drop.has(name)));
}

/** The container's own setting before the Pod's. */
function effective(pod: Pod, container: Container): SecurityContext {
  return { ...(pod.spec.securityContext as SecurityContext | undefined), ...(container.securityContext as SecurityContext | undefined) };
}

/** What the runtime is told of the first process's user, groups and powers. `imageUser` is what the image's configuration names. */
export function credentialsOf(pod: Pod, container: Container, imageUser: string): Credentials {
  const context = effective(pod, container);
  const groups = [...(context.fsGroup === undefined ? [] : [context.fsGroup]), ...(context.supplementalGroups ?? [])];
  const filtered = context.privileged !== true && context.seccompProfile !== undefined && context.seccompProfile.type !== "Unconfined";
  return {
    user: context.runAsUser === undefined ? imageUser || "0" : String(context.runAsUser), ofImage: context.runAsUser === undefined, ...(context.runAsGroup === undefined ? {} : { gid: context.runAsGroup }), groups,
    capabilities: capabilitiesOf(context), noNewPrivileges: context.privileged !== true && context.allowPrivilegeEscalation === false, seccomp: filtered ? 2 : 0, readOnlyRoot: context.readOnlyRootFilesystem ?? false,
  };
}
