import type { LatencyTable } from "../kernel/types.ts";
import { apiserver } from "./apiserver.ts";
import { controllers } from "./controllers.ts";
import { csi } from "./csi.ts";
import { etcd } from "./etcd.ts";
import { kubectl } from "./kubectl.ts";
import { kubelet } from "./kubelet.ts";
import { links } from "./links.ts";
import { network } from "./network.ts";
import { runtime } from "./runtime.ts";
import { scheduler } from "./scheduler.ts";

/** Every duration the simulation draws, in integer microseconds, with where the figure comes from. */
export const LATENCIES: Readonly<Record<string, LatencyTable>> = { ...links, ...kubectl, ...apiserver, ...etcd, ...scheduler, ...controllers, ...kubelet, ...runtime, ...network, ...csi };
