import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { familyOf } from "../theme/components.ts";
import { FamilyIcon } from "./icons.tsx";

/** A component's name with its mark, as a button: hovering lights it everywhere, a click pins it. */
export function ComponentChip({ id }: { readonly id: string }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const setHover = useTimeline((state) => state.setHover);
  return (
    <button type="button" className="chip" style={{ cursor: "pointer" }} onClick={() => pin({ kind: "component", id })} onPointerEnter={() => setHover({ kind: "component", id })} onPointerLeave={() => setHover(undefined)} onFocus={() => setHover({ kind: "component", id })} onBlur={() => setHover(undefined)}>
      <FamilyIcon family={familyOf(id)} />
      {id}
    </button>
  );
}
