import { type JSX, useState } from "react";
import { DECISION_PATHS, type DecisionPath, type Node } from "../../content/troubleshooting.ts";
import { client } from "../../timeline/client.ts";
import { captionTime } from "../../timeline/format.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import type { CommandOutput } from "../../worker/protocol.ts";
import { breakIt } from "./links.tsx";
import { fillCommand, isIncomplete, namesAt } from "./names.ts";
import styles from "./story.module.css";

/** A command with the names of this run in it, and the answer it gives at the playhead. */
function Command({ command, index }: { readonly command: string; readonly index: TraceIndex | undefined }): JSX.Element {
  const now = useTimeline((state) => state.now);
  const [answer, setAnswer] = useState<{ readonly at: number; readonly output: CommandOutput }>();
  const argv = fillCommand(command, index ? namesAt(index, now) : {});
  const run = async (): Promise<void> => {
    const at = playhead.get();
    try {
      setAnswer({ at, output: await client.ask(argv, at) });
    } catch (error) {
      setAnswer({ at, output: { stdout: "", stderr: error instanceof Error ? error.message : String(error), exitCode: 1 } });
    }
  };
  return (
    <div className={styles.command}>
      <code>kubectl {argv.join(" ")}</code>
      <button type="button" className="button" disabled={isIncomplete(argv)} onClick={() => void run()}>
        Run it now
      </button>
      {isIncomplete(argv) && <span className={styles.dim}> This run has nothing of that kind at this time.</span>}
      {answer && (
        <>
          <p className={styles.dim}>At {captionTime(answer.at)} it says:</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
          <pre tabIndex={0}>{`${answer.output.stdout}${answer.output.stderr}`.trimEnd() || "(nothing)"}</pre>
        </>
      )}
    </div>
  );
}

function Path({ path }: { readonly path: DecisionPath }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const faults = useTimeline((state) => state.catalogue?.faults);
  const [way, setWay] = useState<readonly string[]>([]);
  const at = (id: string | undefined): Node | undefined => path.nodes.find((node) => node.id === id);
  const nodes = [path.nodes[0], ...way.map(at)].filter((node): node is Node => node !== undefined);
  const choose = (depth: number, to: string): void => setWay([...way.slice(0, depth), to]);
  return (
    <ol className={styles.path}>
      {nodes.map((node, depth) =>
        "ask" in node ? (
          <li key={node.id}>
            <p>{node.ask}</p>
            {node.command !== undefined && <Command command={node.command} index={index} />}
            <div className={styles.answers}>
              {node.answers.map((answer) => (
                <button key={answer.to} type="button" className="button" aria-pressed={way[depth] === answer.to} onClick={() => choose(depth, answer.to)}>
                  {answer.label}
                </button>
              ))}
            </div>
          </li>
        ) : (
          <li key={node.id} className={styles.verdict}>
            <p>
              <strong>{node.cause}</strong>
            </p>
            <p>{node.fix}</p>
            {node.command !== undefined && <Command command={node.command} index={index} />}
            {node.fault !== undefined && faults?.some((fault) => fault.id === node.fault) && (
              <button type="button" className="button" onClick={() => breakIt(node.fault ?? "")}>
                Try it: {node.fault}
              </button>
            )}
          </li>
        ),
      )}
    </ol>
  );
}

/** From what one sees to the cause, by questions; each ends in a command and its answer in this run. */
export function TroubleshootingView(): JSX.Element {
  const [chosen, setChosen] = useState<string>();
  return (
    <>
      <p className={styles.prose}>What do you see?</p>
      <ul className={styles.symptoms}>
        {DECISION_PATHS.map((path) => (
          <li key={path.id}>
            <button type="button" className="button" aria-expanded={path.id === chosen} onClick={() => setChosen(path.id === chosen ? undefined : path.id)}>
              {path.symptom}
            </button>
            {path.id === chosen && <Path path={path} />}
          </li>
        ))}
      </ul>
    </>
  );
}
