import { Fragment, type JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { type Cell, type Decision, firstText, matrixOf, type PluginScores, sentenceOf } from "../../trace/decision.ts";
import styles from "./inspector.module.css";

const SIGNS: Readonly<Record<Cell, string>> = { pass: "✓", reject: "✕", "not reached": "" };

function NodeName({ name }: { readonly name: string }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  return (
    <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "object", key: `/registry/minions/${name}` })}>
      {name}
    </button>
  );
}

/** Keeps a wide table inside the panel, reachable by keyboard. */
function Scroll({ children }: { readonly children: JSX.Element }): JSX.Element {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={styles.scroll} tabIndex={0}>
      {children}
    </div>
  );
}

function Matrix({ decision }: { readonly decision: Decision }): JSX.Element {
  const { plugins, rows, idle } = matrixOf(decision);
  return (
    <>
    <Scroll>
      <table className={styles.matrix}>
        <caption>
          {decision.numNodes} nodes, {decision.rejected.length} filtered out, {decision.feasible.length} left
        </caption>
        <thead>
          <tr>
            <th scope="col">Node</th>
            {plugins.map((plugin) => (
              <th scope="col" key={plugin} className={styles.slanted}>
                <span>{plugin}</span>
              </th>
            ))}
            <th scope="col" className={styles.why}>
              Why not
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.node}>
              <tr data-rejected={row.reason !== "" || undefined} data-chosen={row.node === decision.node || undefined}>
                <th scope="row">
                  <NodeName name={row.node} />
                </th>
                {row.cells.map((cell, i) => (
                  <td key={plugins[i]} data-cell={cell} title={`${row.node}, ${plugins[i] ?? ""}: ${cell}`}>
                    <span aria-hidden="true">{SIGNS[cell]}</span>
                    <span className={styles.srOnly}>{cell}</span>
                  </td>
                ))}
                <td className={styles.why}>
                  {row.reason}
                  {row.detail !== "" && <div className={styles.formula}>{row.detail}</div>}
                </td>
              </tr>
              {row.reason !== "" && (
                <tr className={styles.reason}>
                  <td colSpan={plugins.length + 1}>
                    {row.reason} {row.detail !== "" && <span className={styles.formula}>{row.detail}</span>}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Scroll>
    <p className={styles.hint}>
      ✓ passes, ✕ turned away: the filters after it are not asked.
      {idle.length > 0 && ` This Pod gives ${idle.length === 1 ? "one filter" : `${idle.length} filters`} nothing to check: ${idle.join(", ")}.`}
    </p>
    </>
  );
}

/** A plugin's name that can break before each of its words. */
function Breakable({ name }: { readonly name: string }): JSX.Element {
  return (
    <>
      {name.split(/(?<=[a-z])(?=[A-Z])/).map((word) => (
        <Fragment key={word}>
          {word}
          <wbr />
        </Fragment>
      ))}
    </>
  );
}

function inputsText(inputs: Readonly<Record<string, number | string>>): string {
  return Object.entries(inputs)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function PluginRows({ scores, nodes }: { readonly scores: PluginScores; readonly nodes: readonly string[] }): JSX.Element {
  const byNode = new Map(scores.nodes.map((node) => [node.node, node]));
  return (
    <tr>
      <th scope="row">
        <Breakable name={scores.plugin} /> <span className={styles.dim}>×{scores.weight}</span>
      </th>
      {nodes.map((name) => {
        const node = byNode.get(name);
        return (
          <td key={name}>
            {node && (
              <>
                <strong>{node.weighted}</strong>
                <div className={styles.dim} title={`raw ${node.raw}, normalised ${node.normalized}, times ${scores.weight}`}>
                  {node.raw === node.normalized ? node.raw : `${node.raw} → ${node.normalized}`}
                </div>
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** How a plugin came to its points: the formula with each node's own numbers. */
function How({ scores }: { readonly scores: PluginScores }): JSX.Element {
  return (
    <details className={styles.how}>
      <summary>{scores.plugin}</summary>
      <p className={styles.hint}>{scores.normalize === "" ? "Taken as it is." : <>Normalised: <span className={styles.formula}>{scores.normalize}</span></>}</p>
      <ul>
        {scores.nodes.map((node) => (
          <li key={node.node}>
            <strong>{node.node}</strong> <span className={styles.formula}>{node.formula}</span>
            <div className={styles.dim}>{inputsText(node.inputs)}</div>
            <div className={styles.formula}>
              {node.raw}
              {scores.normalize !== "" && <> → {node.normalized}</>}, × {scores.weight} = {node.weighted}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Scores({ decision }: { readonly decision: Decision }): JSX.Element {
  if (decision.scores.length === 0) return <p className={styles.hint}>{decision.feasible.length === 1 ? "Only one node was left: nothing is scored." : "No node was left to score."}</p>;
  const totals = [...decision.totals].sort((a, b) => b.total - a.total);
  const nodes = totals.map((total) => total.node);
  const asked = decision.scores.filter((scores) => !scores.skipped);
  const skipped = decision.scores.filter((scores) => scores.skipped).map((scores) => scores.plugin);
  return (
    <>
      <Scroll>
        <table className={styles.scores}>
          <caption>Scores: raw → normalised to 0 to 100, times the plugin's weight, added up</caption>
          <thead>
            <tr>
              <th scope="col">Plugin</th>
              {nodes.map((node) => (
                <th scope="col" key={node} data-chosen={node === decision.node || undefined}>
                  <NodeName name={node} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {asked.map((scores) => (
              <PluginRows key={scores.plugin} scores={scores} nodes={nodes} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {totals.map((total) => (
                <td key={total.node} data-chosen={total.node === decision.node || undefined}>
                  <strong>{total.total}</strong>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </Scroll>
      {skipped.length > 0 && <p className={styles.hint}>Skipped, as this Pod gives them nothing to score: {skipped.join(", ")}.</p>}
      <h4>How each came to its points</h4>
      <p className={styles.hint}>Divisions drop what is left over, unless a formula rounds.</p>
      {asked.map((scores) => (
        <How key={scores.plugin} scores={scores} />
      ))}
      <details className={styles.how}>
        <summary>Totals, in the order of the table</summary>
        <ul>
          {totals.map(({ node, total }) => (
            <li key={node}>
              <strong>{node}</strong>{" "}
              <span className={styles.formula}>
                {asked.map((scores) => scores.nodes.find((one) => one.node === node)?.weighted ?? 0).join(" + ")} = {total}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The FailedScheduling sentence, part by part, with what each part counts. */
function Sentence({ decision }: { readonly decision: Decision }): JSX.Element | null {
  const parts = sentenceOf(decision);
  if (!parts) return null;
  return (
    <>
      <h4>How the sentence is put together</h4>
      <ol className={styles.sentenceParts}>
        {parts.map((part) => (
          <li key={part.text}>
            <span className={styles.formula}>{part.text.trim().replace(/^, /, "")}</span>
            {part.from.length > 0 && <span className={styles.dim}> {part.from.join(", ")}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

/** On which node whom to evict: the candidates, and the criteria that chose among them. */
function Preemption({ decision }: { readonly decision: Decision }): JSX.Element | null {
  const { preemption, postFilter } = decision;
  const tried = postFilter.flatMap((result) => result.nodes);
  if (!preemption && tried.length === 0) return null;
  return (
    <>
      <h4>Preemption: what if Pods of lower priority were gone?</h4>
      {preemption && (
        <Scroll>
          <table className={styles.scores}>
            <caption>The highest number wins; a column is asked only if those before it tie</caption>
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col">Victims</th>
                {preemption.criteria.map((criterion) => (
                  <th scope="col" key={criterion}>
                    {criterion}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preemption.candidates.map((candidate) => (
                <tr key={candidate.node}>
                  <th scope="row" data-chosen={candidate.node === preemption.node || undefined}>
                    <NodeName name={candidate.node} />
                  </th>
                  <td>{candidate.victims.map((victim) => `${victim.namespace}/${victim.name} (priority ${victim.priority})`).join(", ")}</td>
                  {candidate.ranks.map((rank, i) => (
                    <td key={preemption.criteria[i]}>{rank}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {tried.length > 0 && (
        <ul className={styles.sentenceParts}>
          {tried.map((one) => (
            <li key={one.node}>
              {one.node}: <span className={styles.dim}>{one.reasons.join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A scheduling decision, complete enough to redo by hand: nodes × filters, then scores × weights. */
export function DecisionView({ decision }: { readonly decision: Decision }): JSX.Element {
  return (
    <>
      {decision.profile !== "default-scheduler" && <p className={styles.hint}>Profile {decision.profile}</p>}
      <p className={decision.outcome === "scheduled" ? styles.good : styles.bad}>{decision.message !== "" ? decision.message : decision.outcome}</p>
      {decision.preFilter
        .filter((result) => (result.code !== "Skip" && result.code !== "Success") || result.nodeNames !== undefined)
        .map((result) => (
          <p key={result.plugin} className={styles.hint}>
            Before filtering, {result.plugin}: {result.reasons.join(", ") || result.code}
            {result.nodeNames && `; only ${result.nodeNames.join(", ")} need be looked at`}
          </p>
        ))}
      {firstText(decision) !== "" && <p className={styles.hint}>{firstText(decision)}</p>}
      <Matrix decision={decision} />
      <Sentence decision={decision} />
      <Scores decision={decision} />
      {decision.ties.length > 1 && <p className={styles.hint}>A tie between {decision.ties.join(", ")}: the order of the heap decides.</p>}
      <Preemption decision={decision} />
    </>
  );
}
