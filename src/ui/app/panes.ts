/** Named panes in the order in which F6 goes round. */
export const PANES = ["Stage", "Timeline", "Story", "Inspector", "Events", "Manifest", "Break it", "Terminal"] as const;

const FIRST_STOP = "input, textarea, [role=textbox], [tabindex='0'], button, select, a[href]";

/** Puts the focus on a pane's first stop; false if the pane cannot be seen. */
export function focusPane(name: string): boolean {
  const pane = document.querySelector<HTMLElement>(`section[aria-label="${name}"], [data-pane="${name}"]`);
  if (!pane || pane.offsetParent === null) return false;
  const inside = [...pane.querySelectorAll<HTMLElement | SVGElement>(FIRST_STOP)].find((element) => !element.hasAttribute("disabled") && element.getAttribute("tabindex") !== "-1");
  (inside ?? pane).focus();
  return true;
}

/** The focus goes to the next pane that can be seen (1), or the previous one (-1). */
export function cyclePane(by: number): void {
  const active = document.activeElement;
  const at = PANES.findIndex((name) => active?.closest(`section[aria-label="${name}"], [data-pane="${name}"]`));
  for (let i = 1; i <= PANES.length; i++) {
    const name = PANES[(at + by * i + PANES.length * 2) % PANES.length];
    if (name !== undefined && focusPane(name)) return;
  }
}
