import { expect, test } from "@playwright/test";
import { apply, isPhone, kubectl, newRun, openPage, panel, toEnd, writeManifest } from "./page.ts";

const pod = (name: string, extra = ""): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  containers:
    - name: app
      image: nginx:1.27
${extra}`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: unheard-of
spec:
  replicas: 3
  selector:
    matchLabels:
      run: unheard-of
  template:
    metadata:
      labels:
        run: unheard-of
    spec:
      containers:
        - name: server
          image: ghcr.io/never-seen/server:7
`;

test("an edited manifest runs: its own Pod appears", async ({ page }) => {
  await openPage(page);
  await writeManifest(page, pod("edited"));
  await apply(page);
  await toEnd(page);
  const log = await kubectl(page, "kubectl get pods");
  await expect(log).toContainText(/edited\s+1\/1\s+Running/);
});

test("a typo is refused in the server's words", async ({ page }) => {
  await openPage(page);
  await writeManifest(page, pod("typo", "      imagePolicy: Always\n"));
  await apply(page);
  await expect(page.getByRole("alert").first()).toContainText('strict decoding error: unknown field "spec.containers[0].imagePolicy"');
});

test("an unfamiliar Deployment runs without anything being scripted for it", async ({ page }) => {
  await openPage(page);
  await writeManifest(page, DEPLOYMENT);
  await apply(page);
  await toEnd(page);
  const log = await kubectl(page, "kubectl get deployments");
  await expect(log).toContainText(/unheard-of\s+3\/3\s+3\s+3/);
});

test("a fault from Break it changes the outcome and keeps the first run", async ({ page }) => {
  await openPage(page);
  const region = await panel(page, "Break it");
  await region.getByRole("button", { name: /^The scheduler is down/ }).click();
  await region.getByRole("button", { name: "Inject" }).click();
  await newRun(page);
  await toEnd(page);
  const log = await kubectl(page, "kubectl get pods");
  await expect(log).toContainText(/nginx\s+0\/1\s+Pending/);
  await expect(page.getByText(/^Run B forked at 0\.000 s/)).toBeVisible();
  const runs = page.getByRole("combobox", { name: "Run" });
  if (!isPhone(page)) await expect(runs.getByRole("option")).toHaveCount(2);
});

test("the terminal answers as kubectl at the playhead", async ({ page }) => {
  await openPage(page);
  await toEnd(page);
  await expect(await kubectl(page, "kubectl get pods")).toContainText(/NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE[\s\S]*nginx\s+1\/1\s+Running\s+0/);
  await expect(await kubectl(page, "kubectl get nodes")).toContainText("worker-node-03");
  await expect(await kubectl(page, "kubectl get pod nowhere")).toContainText('Error from server (NotFound): pods "nowhere" not found');
});

test("the phone has a plain editor and does not load Monaco", async ({ page }) => {
  test.skip(!isPhone(page), "phones only");
  const scripts: string[] = [];
  page.on("response", (response) => scripts.push(response.url()));
  await openPage(page);
  await writeManifest(page, pod("edited"));
  expect(scripts.filter((url) => /monaco|editor\.worker/i.test(url))).toEqual([]);
});

test("what is accepted but not simulated is told, apart from kubectl's words", async ({ page }) => {
  await openPage(page);
  await writeManifest(page, pod("idle", "  os:\n    name: linux\n"));
  await expect((await panel(page, "Manifest")).getByText("spec.os", { exact: true })).toBeVisible();
  await apply(page);
  const terminal = await panel(page, "Terminal");
  await expect(terminal.getByRole("log", { name: "Terminal output" })).toContainText(/pod\/idle created[\s\S]*Millipod One field is accepted, but not simulated:[\s\S]*spec\.os/);
});
