import { type JSX, type SyntheticEvent, useId, useState } from "react";
import { prose, type Term } from "../../content/glossary.ts";
import styles from "./story.module.css";

const WIDTH = 280;
const HEIGHT = 120;
const GAP = 6;

interface Place {
  readonly left: number;
  readonly top?: number;
  readonly bottom?: number;
}

/** Below the word, or above it near the window's lower edge; never beyond the sides. */
function placeOf(word: HTMLElement): Place {
  const { left, top, bottom } = word.getBoundingClientRect();
  const x = Math.max(GAP, Math.min(left, window.innerWidth - WIDTH - GAP));
  return bottom + HEIGHT > window.innerHeight ? { left: x, bottom: window.innerHeight - top + GAP } : { left: x, top: bottom + GAP };
}

/** A word with its meaning: shown on hover and focus, closed by Escape. */
function TermChip({ word, term }: { readonly word: string; readonly term: Term }): JSX.Element {
  const id = useId();
  const [place, setPlace] = useState<Place>();
  const show = (event: SyntheticEvent<HTMLElement>): void => setPlace(placeOf(event.currentTarget));
  const hide = (): void => setPlace(undefined);
  return (
    <span className={styles.term}>
      <button
        type="button"
        aria-describedby={place ? id : undefined}
        onClick={show}
        onFocus={show}
        onBlur={hide}
        onPointerEnter={show}
        onPointerLeave={hide}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !place) return;
          event.preventDefault();
          event.stopPropagation();
          hide();
        }}
      >
        {word}
      </button>
      {place && (
        <span role="tooltip" id={id} className={styles.tooltip} style={{ ...place, maxWidth: WIDTH }}>
          <strong>{term.id}</strong> {term.text}
        </span>
      )}
    </span>
  );
}

/** A paragraph whose "[word]" marks become terms. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <p className={styles.prose}>
      {prose(text).map((piece, i) =>
        typeof piece === "string" ? (
          piece
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the text never changes
          <TermChip key={i} word={piece.word} term={piece.term} />
        ),
      )}
    </p>
  );
}
