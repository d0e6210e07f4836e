// Models ConnectResource of kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/rest.go and BindingREST of pkg/registry/core/pod/storage/storage.go
import { aggregateText } from "../../api/field-error.ts";
import { newBadRequest, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { validateBinding } from "../../api/validation/validate.ts";
import type { Operation } from "../admission/attributes.ts";
import { subresourceKind } from "../discovery.ts";
import { type Gate, tellRefusal } from "../filters/gates.ts";
import { refuse, type Run } from "../state.ts";
import { runAdmission } from "./admission.ts";

function stop(run: Run, status: Status): void {
  tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** Asks admission about what the subresource was sent: the object as admission made it, undefined while it waits or when it refused. */
function admitted(run: Run, operation: Operation, sent: () => KubeObject): KubeObject | undefined {
  run.request.object ??= sent();
  const status = runAdmission(run, operation);
  if (status === "wait") return undefined;
  if (status !== undefined) {
    stop(run, status);
    return undefined;
  }
  const { object } = run.request;
  run.request.object = undefined;
  run.request.admission = undefined;
  run.request.answer = undefined;
  return object;
}

/** A Binding is judged before the Pod is looked at. */
export const bindingAdmissionGate: Gate = {
  name: "BindingAdmission",
  share: 0,
  run(run) {
    const { info, request } = run.request;
    if (run.request.object === undefined) {
      const { metadata } = request.body as KubeObject;
      const { name } = metadata ?? {};
      if ((name ?? info.name) !== info.name) return stop(run, newBadRequest("name in URL does not match name in Binding object"));
      const errors = validateBinding(request.body as KubeObject);
      if (errors.length > 0) return stop(run, newUnknownServerError(aggregateText(errors)));
    }
    run.request.binding = admitted(run, "CREATE", () => {
      const body = request.body as KubeObject;
      return { ...body, apiVersion: "v1", kind: "Binding", metadata: { ...body.metadata, name: info.name, namespace: info.namespace } };
    });
  },
};

const truthy = (text: string | undefined): boolean => text === "true" || text === "1";

/** The query of exec or attach as the object that admission sees. */
function connectOptions(run: Run): KubeObject {
  const { info, request: { query = {} } } = run.request;
  const kind = subresourceKind(info.api?.kind ?? "", info.subresource);
  const streams = Object.fromEntries(["stdin", "stdout", "stderr", "tty"].filter((name) => truthy(query[name])).map((name) => [name, true]));
  const { container, command } = query;
  return { kind: kind?.kind ?? "", apiVersion: "v1", metadata: {}, ...streams, ...(container === undefined ? {} : { container }), ...(command === undefined ? {} : { command: command.split("&command=") }) } as KubeObject;
}

/** CONNECT: who may go through to a Pod. */
export const connectAdmissionGate: Gate = {
  name: "ConnectAdmission",
  share: 0,
  run(run) {
    const { query } = run.request.request;
    if (query?.["dryRun"] !== undefined) return stop(run, newBadRequest("dryRun is not supported"));
    admitted(run, "CONNECT", () => connectOptions(run));
  },
};

/** A request for a token goes by admission too: NodeRestriction holds kubelets to their own Pods. */
export const tokenAdmissionGate: Gate = {
  name: "TokenAdmission",
  share: 0,
  run(run) {
    const { info, request } = run.request;
    admitted(run, "CREATE", () => {
      const body = (request.body ?? {}) as KubeObject;
      return { ...body, apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { ...body.metadata, name: info.name, namespace: info.namespace } };
    });
  },
};
