import type { JSX, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { Selection } from "../../timeline/types.ts";
import { useStageActions } from "./stage-context.ts";

interface Props {
  /** Component id, etcd key, or "node:NAME". */
  readonly id: string;
  readonly name: string;
  readonly className: string;
  readonly children: ReactNode;
  /** What is pinned, where that is not what `id` says: by what was hit, or by the keyboard (undefined). */
  readonly choose?: (at: { readonly x: number; readonly y: number } | undefined) => Selection;
}

/** A pointer's place in the drawing's own units. */
function placeOf(event: MouseEvent<SVGGElement>): { readonly x: number; readonly y: number } | undefined {
  const matrix = event.currentTarget.getScreenCTM();
  return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : undefined;
}

export function selectionOf(id: string): Selection {
  if (id.startsWith("/")) return { kind: "object", key: id };
  if (id.startsWith("node:")) return { kind: "object", key: `/registry/minions/${id.slice(5)}` };
  return { kind: "component", id };
}

/** Something on the stage that can be hovered, pinned and opened; one of them at a time is the Tab stop. */
export function StageButton({ id, name, className, children, choose = () => selectionOf(id) }: Props): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const setHover = useTimeline((state) => state.setHover);
  const { open, focused, focus } = useStageActions();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pin(choose(undefined));
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
      onClick={(event) => {
        pin(choose(placeOf(event)));
        focus(id);
      }}
      onDoubleClick={() => open(id)}
      onKeyDown={onKeyDown}
      onFocus={() => {
        focus(id);
        setHover(choose(undefined));
      }}
      onBlur={() => setHover(undefined)}
      onPointerEnter={() => setHover(choose(undefined))}
      onPointerLeave={() => setHover(undefined)}
    >
      <title>{name}</title>
      {children}
    </g>
  );
}

