import { describe, expect, test } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import { findMatchingVolume, volumeMismatch } from "./match.ts";

const volume = (name: string, spec: Partial<PersistentVolume["spec"]> = {}, more: Partial<PersistentVolume> = {}): PersistentVolume => ({
  apiVersion: "v1", kind: "PersistentVolume", metadata: { name, labels: { disk: name } }, status: { phase: "Available" }, ...more,
  spec: { capacity: { storage: "10Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "manual", ...spec },
});
const claim = (spec: Partial<PersistentVolumeClaim["spec"]> = {}): PersistentVolumeClaim => ({
  apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "c", namespace: "default", uid: "u" },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName: "manual", resources: { requests: { storage: "5Gi" } }, ...spec },
});
const reserved = (uid?: string) => ({ claimRef: { namespace: "default", name: "c", ...(uid === undefined ? {} : { uid }) } });

describe("findMatchingVolume", () => {
  test.each([
    { name: "the smallest that is large enough", volumes: [volume("a"), volume("b", { capacity: { storage: "6Gi" } }), volume("c", { capacity: { storage: "4Gi" } })], claim: claim(), want: "b" },
    { name: "of its class only", volumes: [volume("a", { storageClassName: "other" })], claim: claim(), want: undefined },
    { name: "no class matches no class", volumes: [volume("a", { storageClassName: "" })], claim: claim({ storageClassName: "" }), want: "a" },
    { name: "all access modes asked for", volumes: [volume("a"), volume("b", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] })], claim: claim({ accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }), want: "b" },
    { name: "by selector", volumes: [volume("a"), volume("b")], claim: claim({ selector: { matchLabels: { disk: "b" } } }), want: "b" },
    { name: "of the same mode", volumes: [volume("a", { volumeMode: "Block" })], claim: claim(), want: undefined },
    { name: "not one of another claim", volumes: [volume("a", { claimRef: { namespace: "default", name: "other" } })], claim: claim(), want: undefined },
    { name: "one reserved by name first, though larger", volumes: [volume("a"), volume("b", { capacity: { storage: "90Gi" }, ...reserved() })], claim: claim(), want: "b" },
    { name: "not one reserved for an earlier claim of that name", volumes: [volume("a", reserved("before"))], claim: claim(), want: undefined },
    { name: "not one that is not Available", volumes: [volume("a", {}, { status: { phase: "Released" } })], claim: claim(), want: undefined },
    { name: "delayed: the scheduler chooses", volumes: [volume("a")], claim: claim(), delayed: true, want: undefined },
    { name: "delayed: but a reserved one is taken", volumes: [volume("a", reserved())], claim: claim(), delayed: true, want: "a" },
  ])("$name", ({ volumes, claim: of, delayed, want }) => expect(findMatchingVolume(of, volumes, delayed ?? false)?.metadata.name).toBe(want));
});

describe("volumeMismatch", () => {
  test.each([
    { name: "fits", volume: volume("a"), want: undefined },
    { name: "size", volume: volume("a", { capacity: { storage: "1Gi" } }), want: "requested PV is too small" },
    { name: "class", volume: volume("a", { storageClassName: "x" }), want: "storageClassName does not match" },
    { name: "mode", volume: volume("a", { volumeMode: "Block" }), want: "incompatible volumeMode" },
    { name: "access", volume: volume("a", { accessModes: ["ReadOnlyMany"] }), want: "incompatible accessMode" },
  ])("$name", ({ volume: of, want }) => expect(volumeMismatch(of, claim())).toBe(want));
});
