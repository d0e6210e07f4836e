import { type JSX, useEffect, useState } from "react";
import { CHAPTERS } from "../../content/chapters.ts";
import { chapterName } from "../../timeline/chapter.ts";
import { client } from "../../timeline/client.ts";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { chromeTrace } from "../../trace/formats/chrome.ts";
import { otlp } from "../../trace/formats/otlp.ts";
import { transcript } from "../../trace/formats/transcript.ts";
import { copyLink } from "../widgets/copy-link.ts";
import styles from "./export.module.css";

/** Some chats and mail programs cut a link beyond this. */
const LONG_LINK = 2000;
/** The simulation's time 0, 2026-01-01T00:00:00Z, in Unix seconds. */
const EPOCH_SECONDS = Date.UTC(2026, 0, 1) / 1000;

interface Export {
  readonly label: string;
  readonly hint: string;
  readonly file: string;
  readonly type: string;
  readonly text: () => string | Promise<string>;
}

function current(): { index: NonNullable<ReturnType<typeof useTimeline.getState>["index"]>; seed: number } {
  const { index, run } = useTimeline.getState();
  if (!index || !run) throw new Error("No run is loaded yet.");
  return { index, seed: run.recipe.seed };
}

/** What kubectl prints at the playhead; its error is the export's. */
async function kubectl(...argv: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await client.ask(argv);
  if (exitCode !== 0) throw new Error(stderr.trim());
  return stdout === "" ? stderr : stdout;
}

function words(): string {
  const { steps, chapters } = useTimeline.getState();
  const title = (number: number): string | undefined => CHAPTERS.find((chapter) => chapter.number === number)?.title;
  return transcript({ trace: current().index.trace, steps, chapters, heading: (range) => `${chapterName(range.number)}: ${range.title ?? title(range.number) ?? ""}`, time: captionTime });
}

const EXPORTS: readonly Export[] = [
  { label: "Transcript (Markdown)", hint: "All captions at the chosen detail, under their chapters", file: "millipod-transcript.md", type: "text/markdown", text: words },
  { label: "Chrome trace (JSON)", hint: "Opens in Perfetto", file: "millipod-chrome.json", type: "application/json", text: () => JSON.stringify(chromeTrace(current().index.trace)) },
  { label: "OpenTelemetry (JSON)", hint: "Opens in Jaeger", file: "millipod-otlp.json", type: "application/json", text: () => JSON.stringify(otlp(current().index.trace, current().seed, EPOCH_SECONDS)) },
  { label: "Events", hint: "kubectl get events -A, at the playhead", file: "millipod-events.txt", type: "text/plain", text: () => kubectl("get", "events", "-A") },
  { label: "Objects (YAML)", hint: "kubectl get all -A -o yaml, at the playhead", file: "millipod-objects.yaml", type: "application/yaml", text: () => kubectl("get", "all", "-A", "-o", "yaml") },
];

function download({ file, type }: Export, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  // The download has begun by the next task; a URL taken back before that is lost in Firefox.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** The run in forms that other programs read. */
export function ExportDialog(): JSX.Element {
  const [length, setLength] = useState<number>();
  const [message, setMessage] = useState("");
  const loaded = useTimeline((state) => state.index !== undefined);
  useEffect(() => {
    let shown = true;
    void useTimeline
      .getState()
      .shareLink()
      .then((link) => shown && setLength(link.length));
    return () => {
      shown = false;
    };
  }, []);
  const save = async (one: Export): Promise<void> => {
    try {
      download(one, await one.text());
      setMessage(`${one.file} is saved.`);
    } catch (error) {
      setMessage(`${one.file} is not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div className={styles["export"]}>
      <p>
        <button type="button" className="button button-primary" onClick={() => void copyLink()}>
          Copy link
        </button>{" "}
        {length !== undefined && `${length} characters.${length > LONG_LINK ? " It is long: some chats cut it." : ""}`}
      </p>
      <ul>
        {EXPORTS.map((one) => (
          <li key={one.file}>
            <button type="button" className="button" disabled={!loaded} onClick={() => void save(one)}>
              {one.label}
            </button>
            <span>{one.hint}</span>
          </li>
        ))}
      </ul>
      <output>{message}</output>
    </div>
  );
}
