import { expect, it } from "vitest";
import { lookupImageName } from "./images.ts";

it.each([
  ["nginx", 200], ["nginx:1.27", 200], ["nginx:no-such-tag", 404], ["nginx:1.161", 404], ["ngnix", 401], ["busybox:1.36", 200], ["registry.k8s.io/pause:3.10", 200],
  ["registry.example.com/app:1", 0], ["localhost:5000/app", 0], ["ghcr.io/acme/shop:v2", 200], ["acme/shop", 200],
])("%s answers %d", (image, status) => expect(lookupImageName(image).status).toBe(status));

it("words a refusal as containerd does", () => {
  expect(lookupImageName("ngnix").error).toBe('failed to pull and unpack image "docker.io/library/ngnix:latest": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed');
});

it("shares a base layer between images", () => {
  const base = (image: string): string | undefined => lookupImageName(image).manifest?.layers[0]?.digest;
  expect(base("nginx:1.27")).toBe(base("redis:7.4"));
  expect(base("nginx:1.27")).not.toBe(base("alpine:3.20"));
});
