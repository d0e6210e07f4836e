/** How to find something in a run: by what it is, never by a fixed time. All given fields must match. */
export interface HopPattern {
  /** Component id; with a trailing "@" any of that kind ("kubelet@"). */
  readonly from?: string;
  readonly to?: string;
  readonly protocol?: string;
  /** The verb begins with it. */
  readonly verb?: string;
  /** The subject contains it. */
  readonly subject?: string;
  readonly status?: number;
}

export interface NotePattern {
  readonly component?: string;
  readonly kind?: string;
  /** The sentence or its reason contains it, in any case. */
  readonly text?: string;
  readonly subject?: string;
}

/** Exactly one of the two is looked for; the first match in the run is shown. */
export type Evidence = { readonly hop: HopPattern } | { readonly note: NotePattern };
