import { describe, expect, test } from "vitest";
import { SECOND } from "../api/time.ts";
import type { ContainerStatus, Pod } from "../api/types.ts";
import { Played } from "../testdata/played.ts";
import { DOCUMENTATION_SAMPLES } from "./documentation-samples.ts";
import { VOLUME_SAMPLES } from "./documentation-volumes.ts";

function play(id: string, seconds?: number): Played {
  const sample = [...DOCUMENTATION_SAMPLES, ...VOLUME_SAMPLES].find((candidate) => candidate.id === id);
  if (sample === undefined) throw new Error(`no sample ${id}`);
  return new Played(sample.text, sample.after ?? [], seconds ?? (sample.until ?? 30 * SECOND) / SECOND);
}

const state = (status: ContainerStatus | undefined): string => status?.state?.waiting?.reason ?? status?.state?.terminated?.reason ?? (status?.state?.running ? "Running" : "none");

describe("probes, hooks and kinds of containers", () => {
  test("liveness-file: healthy for 30 s, three failures, killed, started again", () => {
    const played = play("liveness-file");
    expect(played.events("Unhealthy", 34)).toEqual([]);
    expect(played.events("Unhealthy", 36)).toEqual(["1 Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory"]);
    expect(played.events("Killing", 44)).toEqual([]);
    expect(played.events("Killing", 47)).toEqual(["1 Container app failed liveness probe, will be restarted"]);
    expect(played.container("file-keeper", "app", 44)?.restartCount).toBe(0);
    // sh as PID 1 has no handler for SIGTERM: the grace of 5 s passes first.
    expect(played.container("file-keeper", "app", 53)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137 } } });
    expect(played.events("Killing", 99)).toEqual(["2 Container app failed liveness probe, will be restarted"]);
  });

  test("liveness-http: 500 after 10 s, twice restarted at once, then with back-off", () => {
    const played = play("liveness-http");
    expect(played.events("Unhealthy", 12)).toEqual([]);
    expect(played.events("Unhealthy", 24)[0]).toMatch(/^\d Liveness probe failed: HTTP probe failed with statuscode: 500$/);
    expect([24, 45, 70, 119].map((at) => played.container("short-of-breath", "app", at)?.restartCount)).toEqual([1, 2, 3, 5]);
  });

  test("startup: the other probes wait, nothing is restarted", () => {
    const played = play("startup");
    expect(played.container("late-riser", "app", 24)).toMatchObject({ started: false, ready: false });
    expect(played.container("late-riser", "app", 34)).toMatchObject({ started: true, ready: true, restartCount: 0 });
    expect(played.events("Unhealthy", 44)[0]).toMatch(/^\d Startup probe failed: Get "http:\/\/[\d.]+:8080\/index.html": dial tcp [\d.]+:8080: connect: connection refused$/);
  });

  test("hooks: the preStop hook runs before the program is told", () => {
    const played = play("hooks");
    expect(played.container("well-mannered", "web", 13)?.state?.running).toBeDefined();
    expect(played.get("pods", "well-mannered", 13)?.metadata.deletionTimestamp).toBeDefined();
    expect(played.get("pods", "well-mannered", 18)).toBeUndefined();
    expect(played.events("FailedPreStopHook", 19)).toEqual([]);
  });

  test("init-services: one step a Service", () => {
    const played = play("init-services");
    const steps = [7, 14, 24].map((at) => [state(played.container("patient", "wait-for-shop", at)), state(played.container("patient", "wait-for-db", at)), state(played.container("patient", "app", at))]);
    expect(steps).toEqual([["Running", "PodInitializing", "PodInitializing"], ["Completed", "Running", "PodInitializing"], ["Completed", "Completed", "Running"]]);
  });

  test("sidecar-job: the sidecar is ended once the work is done", () => {
    const played = play("sidecar-job");
    expect(played.get("jobs", "report", 24)?.status).toMatchObject({ succeeded: 1 });
    expect(played.events("Killing", 24)).toEqual(["1 Stopping container shipper"]);
  });

  test("restart-rules: 42 starts the container again, 1 ends the Pod", () => {
    const played = play("restart-rules");
    expect(played.get<Pod>("pods", "retry-on-42", 39)?.status?.phase).toBe("Failed");
    expect(played.container("retry-on-42", "app", 39)).toMatchObject({ restartCount: 2, state: { terminated: { exitCode: 1 } } });
  });

  test("restart-all: the sandbox stays, the init containers run again", () => {
    const played = play("restart-all");
    const restarting = (at: number) => played.get<Pod>("pods", "worker", at)?.status?.conditions?.find(({ type }) => type === "AllContainersRestarting");
    expect(restarting(20)?.status).toBe("False");
    expect(restarting(23)).toMatchObject({ status: "True", reason: "RestartAllContainersStarted", message: "container exited with restart policy rule" });
    expect(restarting(30)?.status).toBe("False");
    for (const name of ["prepare", "watcher", "main"]) expect(played.container("worker", name, 30)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 137, reason: "RestartingAllContainers" } } });
    expect(played.get<Pod>("pods", "worker", 30)?.status?.podIP).toBe(played.get<Pod>("pods", "worker", 10)?.status?.podIP);
  });

  test("last-words: the file is the message", () => {
    expect(play("last-words").container("last-words", "app", 19)?.lastState?.terminated?.message).toBe("Sleep expired\n");
  });

  test("oom: exit code 137, OOMKilled, again and again", () => {
    const status = play("oom").container("glutton", "app", 59);
    expect(status).toMatchObject({ restartCount: 3, state: { terminated: { exitCode: 137, reason: "OOMKilled" } } });
  });

  test("a request that no node can meet waits", () => {
    const text = `apiVersion: v1\nkind: Pod\nmetadata:\n  name: giant\nspec:\n  containers:\n    - name: app\n      image: nginx:1.27\n      resources:\n        requests:\n          memory: 1000Gi\n        limits:\n          memory: 1000Gi\n`;
    const played = new Played(text, [], 8);
    expect(played.get<Pod>("pods", "giant", 7)?.status?.phase).toBe("Pending");
    expect(played.events("FailedScheduling", 7)[0]).toMatch(/^1 0\/10 nodes are available: .*\d+ Insufficient memory/);
  });

  test("qos: three classes", () => {
    const played = play("qos", 6);
    expect(["guaranteed", "burstable", "best-effort"].map((name) => played.get<Pod>("pods", name, 5)?.status?.qosClass)).toEqual(["Guaranteed", "Burstable", "BestEffort"]);
  });

  test("names: hosts and resolver as the spec says", () => {
    const lines = play("names").log("well-connected/app");
    expect(lines.slice(-5)).toEqual(["# Entries added by HostAliases.", "127.0.0.1\tshop.local\tdb.local", "search ns1.svc.cluster-domain.example my.dns.search.suffix", "nameserver 192.0.2.1", "options ndots:2 edns0"]);
  });
});

describe("settings and volumes", () => {
  test("config-update: the file follows at the next sync, variable and subPath do not", () => {
    const played = play("config-update");
    const at = played.writtenAt("reader/app", "goodbye");
    expect(at).toBeGreaterThan(60);
    expect(at).toBeLessThan(97);
    expect(played.log("reader/app").at(-1)).toBe("file=goodbye subPath=hello variable=hello");
  });

  test("downward: fields, resources, and a label that changes", () => {
    const played = play("downward");
    expect(played.log("mirror/app")[0]).toMatch(/^mirror on worker-node-\d\d, 250 thousandths of a core$/);
    expect(played.log("mirror/app").filter((line) => line.startsWith("zone="))).toEqual(['zone="us-est-coast"', 'zone="us-east-coast"', 'zone="us-east-coast"']);
  });

  test("env-file: what an init container wrote", () => {
    expect(play("env-file").log("told-by-file/app")).toEqual(["the database is at db.example:5432"]);
  });

  test("token: renewed after 80 % of its ten minutes", () => {
    const ends = play("token", 560).log("bearer/app");
    expect(new Set(ends.slice(0, 8)).size).toBe(1);
    expect(ends.at(-1)).not.toBe(ends[0]);
  });

  test("owners: the process has its groups, the volume its own", () => {
    const lines = play("owners").log("not-root/app");
    expect(lines[0]).toBe("uid=1000 gid=3000 groups=2000,3000,4000");
    expect(lines[1]).toMatch(/^drwxrwsrwx +2 root +2000 .* \/data$/);
    expect(lines[2]).toMatch(/^-rw-r--r-- +1 1000 +2000 +5 .* \/data\/note$/);
  });

  test("hoarder: evicted at a later look", () => {
    const played = play("hoarder");
    expect(played.events("Evicted", 10)).toEqual([]);
    expect(played.events("Evicted", 149)).toEqual(['1 Usage of EmptyDir volume "cache" exceeds the limit "10Mi".']);
    expect(played.get<Pod>("pods", "hoarder", 149)?.status).toMatchObject({ phase: "Failed", reason: "Evicted", message: 'Usage of EmptyDir volume "cache" exceeds the limit "10Mi". ' });
  });

  test("image-volume: the image is pulled like any other, for the Pod", () => {
    const played = play("image-volume");
    expect(played.events("Pulling", 14).sort()).toEqual(['1 Pulling image "debian"', '1 Pulling image "quay.io/crio/artifact:v2"']);
    expect(played.container("librarian", "shell", 14)?.state?.running).toBeDefined();
  });

  test("ephemeral: the claim belongs to the Pod, and goes with it", () => {
    const played = play("ephemeral");
    expect(played.get("persistentvolumeclaims", "tenant-scratch", 15)).toMatchObject({ metadata: { ownerReferences: [{ kind: "Pod", name: "tenant", controller: true }] }, status: { phase: "Bound" } });
    expect(played.log("tenant/app")).toEqual(["mine"]);
    expect(played.get("persistentvolumeclaims", "tenant-scratch", 44)).toBeUndefined();
  });

  test("misplaced: runc refuses", () => {
    const played = play("misplaced", 15);
    expect(played.events("Failed", 1)[0]).toMatch(/^1 Error: failed to create containerd task: .* error mounting "\/var\/lib\/kubelet\/pods\/[-0-9a-f]+\/volumes\/kubernetes.io~configmap\/words" to rootfs at "\/usr\/share\/nginx\/html\/index.html": .*: not a directory/);
    expect(played.container("misplaced", "web", 14)?.lastState?.terminated).toMatchObject({ exitCode: 128, reason: "StartError" });
  });
});
