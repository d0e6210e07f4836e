import { everyNodes, type Fault, inside } from "./fault.ts";

export const appHang = {
  id: "app.hang",
  title: "The application hangs",
  group: "application",
  symptom: "Liveness probe failed: context deadline exceeded (Client.Timeout exceeded while awaiting headers); killed and restarted, by SIGKILL after the grace period if it is deaf; without a liveness probe it stays Running for ever",
  command: "kubectl describe pod",
  fix: "Give it a livenessProbe that asks the program itself (httpGet or grpc; a tcpSocket probe sees only that the kernel takes connections), and find what it waits for.",
  params: [
    { name: "container", label: "Container", default: "nginx" },
    { name: "pod", label: "Pod (empty: every Pod)", default: "" },
    { name: "afterSeconds", label: "Seconds after its start", default: 0 },
    { name: "times", label: "How often (0: always)", default: 1 },
    { name: "deaf", label: "Deaf to SIGTERM too", default: true },
  ],
  ...inside("app.hang", everyNodes("process")),
} satisfies Fault;
