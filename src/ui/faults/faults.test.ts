import { expect, test } from "vitest";
import type { FaultInfo } from "../../worker/protocol.ts";
import { paramValue, searchFaults } from "./search.ts";

const fault = (id: string, group: string, symptom: string): FaultInfo => ({ id, title: id, group, symptom, command: "", fix: "", params: [] });
const faults = [fault("authz.denied", "API", "403 Forbidden"), fault("node.crash", "node", "NotReady"), fault("node.reboot", "node", "RESTARTS grow")];

test.each([
  { query: "", want: ["API: authz.denied", "node: node.crash node.reboot"] },
  { query: "403", want: ["API: authz.denied"] },
  { query: "node RESTARTS", want: ["node: node.reboot"] },
  { query: "zzz", want: [] },
])("search $query", ({ query, want }) => expect(searchFaults(faults, query).map((group) => `${group.group}: ${group.faults.map((one) => one.id).join(" ")}`)).toEqual(want));

test.each([
  { text: "5", fallback: 1, want: 5 },
  { text: "x", fallback: 1, want: undefined },
  { text: "", fallback: 1, want: undefined },
  { text: "", fallback: "a", want: "" },
  { text: "true", fallback: false, want: true },
])("$text for a $fallback", ({ text, fallback, want }) => expect(paramValue(text, fallback)).toBe(want));
