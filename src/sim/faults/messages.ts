/** A fault that acts inside a component: its own mechanism does the rest. `on: false` heals it. */
export interface FaultMessage {
  readonly type: "fault";
  /** Catalogue id, "image.not-found". */
  readonly id: string;
  readonly on: boolean;
  readonly params: Readonly<Record<string, string | number | boolean>>;
}
