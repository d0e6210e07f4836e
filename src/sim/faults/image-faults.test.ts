import { describe, expect, it } from "vitest";
import type { Pod } from "../api/types.ts";
import type { FaultParams } from "../scenarios/recipe.ts";
import { create, fault, kubectl, pod, type Seen, see } from "../testdata/fault-run.ts";

const POD = "/registry/pods/default/p";
const state = (seen: Seen): Pod["status"] => (seen.last(POD) as Pod | undefined)?.status;
const pulls = (seen: Seen): string => seen.events("p").find((text) => text.startsWith("Failed: Failed to pull")) ?? "";
const PULLED_AT_LAST = ["Scheduled", "Pulling", "Failed", "Failed", "BackOff", "Failed", "Pulled", "Created", "Started"];

describe("an image that cannot be pulled", () => {
  it.each<{ readonly id: string; readonly params: FaultParams; readonly error: RegExp }>([
    { id: "image.rate-limited", params: {}, error: /^Failed: Failed to pull image "nginx:1.27": failed to pull and unpack image "docker.io\/library\/nginx:1.27": failed to copy: httpReadSeeker: failed open: unexpected status code https:\/\/registry-1.docker.io\/v2\/library\/nginx\/manifests\/sha256:[0-9a-f]{64}: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https:\/\/www.docker.com\/increase-rate-limit$/ },
    { id: "image.unauthorized", params: {}, error: /^Failed: Failed to pull image "nginx:1.27": failed to pull and unpack image "docker.io\/library\/nginx:1.27": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed$/ },
    { id: "image.wrong-architecture", params: { pushedAs: "index" }, error: /: no match for platform in manifest: not found$/ },
  ])("$id: ErrImagePull, ImagePullBackOff, and it starts by itself once healed", ({ id, params, error }) => {
    const seen = see(120, [fault(0, 45, id, params), create(1, pod("p"))], { look: [5, 25, 100] });
    expect(pulls(seen)).toMatch(error);
    expect(seen.reasons("p")).toEqual(PULLED_AT_LAST);
    expect(seen.rows("p")).toEqual(["0/1 ErrImagePull 0", "0/1 ImagePullBackOff 0", "1/1 Running 0"]);
  });

  it("registry-down: each try takes the dialer's 30 s; a copy on the node starts, unless it must be pulled", () => {
    const seen = see(150, [fault(0, 60, "image.registry-down"), create(1, pod("p", {}, { image: "redis:7.4" }), pod("cached")), create(34, pod("always", {}, { imagePullPolicy: "Always" }))], { look: [20, 36, 140] });
    expect(pulls(seen)).toMatch(/: rpc error: code = DeadlineExceeded desc = failed to pull and unpack image "docker.io\/library\/redis:7.4": failed to resolve image: failed to do request: Head "https:\/\/registry-1.docker.io\/v2\/library\/redis\/manifests\/7.4": dial tcp 203.0.113.\d+:443: i\/o timeout$/);
    expect(seen.eventAt("p", "Failed")).toBeGreaterThan(31);
    expect(seen.eventAt("p", "Failed")).toBeLessThan(32);
    expect(seen.rows("p")).toEqual(["0/1 ContainerCreating 0", "0/1 ErrImagePull 0", "1/1 Running 0"]);
    expect(seen.rows("cached")).toEqual(["1/1 Running 0", "1/1 Running 0", "1/1 Running 0"]);
    expect(seen.rows("always")).toEqual(["", "0/1 ContainerCreating 0", "1/1 Running 0"]);
  });

  it("two registries are down, one is mended: its images come", () => {
    const seen = see(110, [fault(0, 20, "image.registry-down", { registry: "ghcr.io" }), fault(0, 900, "image.registry-down"), create(1, pod("g", {}, { image: "ghcr.io/stefanprodan/podinfo:6.7.0" })), create(35, pod("p", {}, { image: "redis:7.4" }))], { look: [100] });
    expect([seen.rows("g")[0], seen.rows("p")[0]]).toEqual(["1/1 Running 0", "0/1 ImagePullBackOff 0"]);
  });
});

describe("image.unauthorized", () => {
  const secret = (password: string): string[] => ["create", "secret", "docker-registry", "hub", "--docker-username=ada", `--docker-password=${password}`];
  const withSecret = pod("p", { imagePullSecrets: [{ name: "hub" }] });

  it("is had with the right credentials", () => {
    expect(see(20, [fault(0, 900, "image.unauthorized"), kubectl(1, ...secret("lovelace")), create(2, withSecret)]).reasons("p")).toEqual(["Scheduled", "Pulling", "Pulled", "Created", "Started"]);
  });

  it("not with wrong ones", () => {
    const seen = see(20, [fault(0, 900, "image.unauthorized"), kubectl(1, ...secret("byron")), create(2, withSecret)]);
    expect(pulls(seen)).toContain("authorization failed");
  });

  it("names the Secret that is missing, and tries all the same", () => {
    const seen = see(90, [fault(0, 900, "image.unauthorized"), create(2, withSecret), kubectl(10, ...secret("lovelace"))]);
    expect(seen.events("p")).toContain("FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (hub); attempting to pull the image may not succeed.");
    expect(state(seen)?.phase).toBe("Running");
  });
});

describe("image.wrong-architecture", () => {
  const seen = see(120, [fault(0, 40, "image.wrong-architecture"), create(1, pod("p")), kubectl(30, "logs", "p")], { look: [35, 110] });

  it("is pulled, and its program cannot be run", () => {
    expect(seen.reasons("p")).toEqual(["Scheduled", "Pulling", "Pulled", "Created", "Started", "Pulled", "BackOff"]);
    expect(seen.printed("logs")).toBe("exec /docker-entrypoint.sh: exec format error\n");
    expect(seen.rows("p")).toEqual(["0/1 Error 2", "1/1 Running 4"]);
  });

  it("ends with exit code 1, and is pulled anew once the right image is there", () => {
    expect(state(seen)?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 1, reason: "Error" });
    expect(state(seen)?.phase).toBe("Running");
  });
});

describe("image.slow-pull", () => {
  it("holds the Pod in ContainerCreating; another pull of the node waits for its turn", () => {
    const seen = see(120, [fault(0, 900, "image.slow-pull"), create(1, pod("p")), create(2, pod("q", {}, { image: "busybox:1.36", command: ["sleep", "1000"] }))], { look: [25, 60] });
    expect([seen.rows("p"), seen.rows("q")]).toEqual([["0/1 ContainerCreating 0", "1/1 Running 0"], ["0/1 ContainerCreating 0", "1/1 Running 0"]]);
    expect(seen.events("q").find((text) => text.startsWith("Pulled"))).toMatch(/in \d+(\.\d+)?s \(3\d\.\d+s including waiting\)/);
  });

  it("a layer of ten minutes still moves: the pull is not cancelled", () => {
    expect(see(900, [fault(0, 900, "image.slow-pull", { factor: 350 }), create(1, pod("p"))], { look: [880] }).rows("p")).toEqual(["1/1 Running 0"]);
  });
});
