import type { JSX, KeyboardEvent, ReactNode } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { Selection } from "../../timeline/types.ts";
import { useStageActions } from "./stage-context.ts";

interface Props {
  /** Component id, etcd key, or "node:NAME". */
  readonly id: string;
  readonly name: string;
  readonly className: string;
  readonly children: ReactNode;
}

export function selectionOf(id: string): Selection {
  if (id.startsWith("/")) return { kind: "object", key: id };
  if (id.startsWith("node:")) return { kind: "object", key: `/registry/minions/${id.slice(5)}` };
  return { kind: "component", id };
}

/** Something on the stage that can be hovered, pinned and opened; one of them at a time is the Tab stop. */
export function StageButton({ id, name, className, children }: Props): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const setHover = useTimeline((state) => state.setHover);
  const { open, focused, focus } = useStageActions();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pin(selectionOf(id));
    if (event.key === "Enter") open(id);
  };
  return (
    <g
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no button element
      role="button"
      aria-label={name}
      data-stage-item={id}
      tabIndex={focused === id ? 0 : -1}
      className={className}
      onClick={() => {
        pin(selectionOf(id));
        focus(id);
      }}
      onDoubleClick={() => open(id)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        focus(id);
        setHover(selectionOf(id));
      }}
      onBlur={() => setHover(undefined)}
      onPointerEnter={() => setHover(selectionOf(id))}
      onPointerLeave={() => setHover(undefined)}
    >
      <title>{name}</title>
      {children}
    </g>
  );
}

