/** Where a duration of the millisecond timeline comes from. */
export type FigureKind = "measured" | "default" | "assumption";

export interface Figure {
  readonly id: string;
  /** Row title. */
  readonly what: string;
  readonly component: string;
  readonly kind: FigureKind;
  readonly source: string;
  /** Of 20 real runs, milliseconds since the API server received the POST, at the row's end; absent if not measured. */
  readonly measured?: { readonly min: number; readonly median: number; readonly max: number };
}
