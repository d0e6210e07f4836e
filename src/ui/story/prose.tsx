import { type JSX, useId, useState } from "react";
import { prose, type Term } from "../../content/glossary.ts";
import styles from "./story.module.css";

/** A word with its meaning: shown on hover and focus, kept open by a press, closed by Escape. */
function TermChip({ word, term }: { readonly word: string; readonly term: Term }): JSX.Element {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <span className={styles.term}>
      <button
        type="button"
        aria-describedby={open ? id : undefined}
        aria-expanded={open}
        onClick={() => setOpen(true)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !open) return;
          event.stopPropagation();
          setOpen(false);
        }}
      >
        {word}
      </button>
      {open && (
        <span role="tooltip" id={id} className={styles.tooltip}>
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
