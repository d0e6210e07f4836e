import { apiServerView } from "./api-server.tsx";
import { controllerView } from "./controller.tsx";
import { etcdView } from "./etcd.tsx";
import { managerView } from "./manager.tsx";
import { kubeletView } from "./kubelet.tsx";
import { kubeProxyView, netfilterView } from "./proxy.tsx";
import { cniView, containerdView, processView } from "./runtime.tsx";
import { schedulerView } from "./scheduler.tsx";
import { coreDnsView, ingressNginxView, loadBalancerView, usersView } from "./traffic.tsx";
import type { ComponentViewSpec } from "./view.ts";

/** Custom views of what is inside a component; the first that matches is used, and a tree for the rest. */
export const VIEWS: readonly ComponentViewSpec[] = [apiServerView, etcdView, schedulerView, managerView, controllerView, kubeletView, containerdView, cniView, processView, kubeProxyView, netfilterView, usersView, coreDnsView, ingressNginxView, loadBalancerView];
