/** Panels do not know each other: this asks the page to bring one to the front, and to show `id` in it. */
export function openPanel(panel: string, id?: string): void {
  window.dispatchEvent(new CustomEvent("millipod:open", { detail: id === undefined ? { panel } : { panel, id } }));
}
