import { type JSX, useState } from "react";
import styles from "./inspector.module.css";
import { toJson, toYaml } from "./yaml.ts";

function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      className={styles.small}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => setDone(true));
      }}
      onBlur={() => setDone(false)}
    >
      {done ? "Copied" : "Copy"}
    </button>
  );
}

/** Plain text in a scrolling box that the keyboard can reach. */
export function TextBlock({ text }: { readonly text: string }): JSX.Element {
  return (
    <div className={styles.block}>
      <CopyButton text={text} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

/** An object as YAML or JSON, whichever the reader chose last. */
export function DataText({ label, value }: { readonly label: string; readonly value: unknown }): JSX.Element {
  const [format, setFormat] = useState<"yaml" | "json">("yaml");
  return (
    <div>
      <fieldset className={styles.choices} aria-label={`${label}: format`}>
        <button type="button" className={styles.small} aria-pressed={format === "yaml"} onClick={() => setFormat("yaml")}>
          YAML
        </button>
        <button type="button" className={styles.small} aria-pressed={format === "json"} onClick={() => setFormat("json")}>
          JSON
        </button>
      </fieldset>
      <TextBlock text={format === "yaml" ? toYaml(value) : toJson(value)} />
    </div>
  );
}
