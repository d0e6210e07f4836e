import type { ManifestReport } from "../../worker/protocol.ts";

/** A place to go to in the text; a new object each time, so that the same place can be asked for twice. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Caret {
  readonly offset: number;
  readonly focus: boolean;
}

/** What the plain and the rich editor have in common. */
export interface EditorProps {
  readonly text: string;
  readonly report: ManifestReport;
  readonly go: Place | undefined;
  readonly onChange: (text: string) => void;
  readonly onApply: () => void;
}
