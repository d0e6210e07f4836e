// Models kubernetes/pkg/controller/volume/pvprotection/pv_protection_controller_test.go: its situations, seen through the API alone
import { expect, test } from "vitest";
import type { KubeObject } from "../../api/types.ts";
import { controllerCluster } from "../../testdata/controller-cluster.ts";
import { at, type MiniInput, write } from "../../testdata/mini-cluster.ts";
import { createPVProtectionController, pvProtectionWatches } from "./pv-protection-controller.ts";

const VOLUMES = "/api/v1/persistentvolumes";
const FINALIZER = "kubernetes.io/pv-protection";
const volume = (finalizers: readonly string[], phase: string): KubeObject => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv", ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }) }, spec: {}, status: { phase } });
const remove = at(1, write("DELETE", `${VOLUMES}/pv`));
const run = (object: KubeObject, ...inputs: MiniInput[]) => {
  const m = controllerCluster([{ watches: pvProtectionWatches, create: createPVProtectionController as never }], inputs, [object]);
  m.sim.run(4_000_000);
  return { left: m.list("PersistentVolume").map((entry) => entry.metadata.finalizers), wrote: m.requests(/^PUT/) };
};

test.each([
  { name: "one without the finalizer gets it", object: volume([], "Available"), inputs: [], left: [[FINALIZER]], wrote: [`PUT ${VOLUMES}/pv`] },
  { name: "one that has it is left alone", object: volume([FINALIZER], "Available"), inputs: [], left: [[FINALIZER]], wrote: [] },
  { name: "a deleted one goes when it is not bound", object: volume([FINALIZER], "Available"), inputs: [remove], left: [], wrote: [`PUT ${VOLUMES}/pv`] },
  { name: "also a Released one", object: volume([FINALIZER], "Released"), inputs: [remove], left: [], wrote: [`PUT ${VOLUMES}/pv`] },
  { name: "a deleted one that is Bound stays", object: volume([FINALIZER], "Bound"), inputs: [remove], left: [[FINALIZER]], wrote: [] },
  { name: "until its claim lets it go", object: volume([FINALIZER], "Bound"), inputs: [remove, at(2, write("PATCH", `${VOLUMES}/pv/status`, { status: { phase: "Released" } }))], left: [], wrote: [`PUT ${VOLUMES}/pv`] },
  { name: "what others hold stays theirs", object: volume(["other", FINALIZER], "Available"), inputs: [remove], left: [["other"]], wrote: [`PUT ${VOLUMES}/pv`] },
])("$name", ({ object, inputs, left, wrote }) => expect(run(object, ...inputs)).toEqual({ left, wrote }));
