/** Within one process of kube-controller-manager: it leads, so its controllers run; or it ends, and they with it. */
export interface ManagerMessage {
  readonly type: "manager.lead" | "manager.exit";
}
