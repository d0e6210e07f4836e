import { Fragment, type JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { type Cell, type Decision, matrixOf, type PluginScores } from "./decision.ts";
import styles from "./inspector.module.css";

const SIGNS: Readonly<Record<Cell, string>> = { pass: "✓", reject: "✕", skipped: "–", "not reached": "" };

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
  const { plugins, rows } = matrixOf(decision);
  return (
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
              </tr>
              {row.reason !== "" && (
                <tr className={styles.reason}>
                  <td colSpan={plugins.length + 1}>{row.reason}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Scroll>
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
        {scores.plugin} <span className={styles.dim}>× {scores.weight}</span>
        {scores.normalize !== "" && !scores.skipped && <div className={styles.formula}>{scores.normalize}</div>}
      </th>
      {scores.skipped ? (
        <td colSpan={nodes.length} className={styles.dim}>
          skipped: nothing in this Pod to score
        </td>
      ) : (
        nodes.map((name) => {
          const node = byNode.get(name);
          return (
            <td key={name}>
              {node && (
                <>
                  <strong>{node.weighted}</strong>
                  <div className={styles.dim}>
                    raw {node.raw} → {node.normalized}, × {scores.weight}
                  </div>
                  <details>
                    <summary>how</summary>
                    <div className={styles.formula}>{node.formula}</div>
                    <div className={styles.dim}>{inputsText(node.inputs)}</div>
                  </details>
                </>
              )}
            </td>
          );
        })
      )}
    </tr>
  );
}

function Scores({ decision }: { readonly decision: Decision }): JSX.Element {
  if (decision.scores.length === 0) return <p className={styles.hint}>{decision.feasible.length === 1 ? "Only one node was left: nothing is scored." : "No node was left to score."}</p>;
  const totals = [...decision.totals].sort((a, b) => b.total - a.total);
  const nodes = totals.map((total) => total.node);
  return (
    <Scroll>
      <table className={styles.scores}>
        <caption>Scores: raw, normalised to 0 to 100, times the plugin's weight, added up</caption>
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
          {decision.scores.map((scores) => (
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
  );
}

/** A scheduling decision, complete enough to redo by hand: nodes × filters, then scores × weights. */
export function DecisionView({ decision }: { readonly decision: Decision }): JSX.Element {
  return (
    <>
      <p className={decision.outcome === "scheduled" ? styles.good : styles.bad}>{decision.message !== "" ? decision.message : decision.outcome}</p>
      {decision.preFilter
        .filter((result) => (result.code !== "Skip" && result.code !== "Success") || result.nodeNames !== undefined)
        .map((result) => (
          <p key={result.plugin} className={styles.hint}>
            Before filtering, {result.plugin}: {result.reasons.join(", ") || result.code}
            {result.nodeNames && `; only ${result.nodeNames.join(", ")} need be looked at`}
          </p>
        ))}
      <Matrix decision={decision} />
      <p className={styles.hint}>✓ passes, ✕ turned away (the filters after it are not asked), – nothing in this Pod to check.</p>
      {decision.unseen.nodes > 0 && (
        <p className={styles.hint}>
          {decision.unseen.nodes} more nodes were not looked at{decision.unseen.reasons.length > 0 ? `: ${decision.unseen.reasons.join(", ")}` : ": enough had passed"}.
        </p>
      )}
      <Scores decision={decision} />
      {decision.ties.length > 1 && <p className={styles.hint}>A tie between {decision.ties.join(", ")}: the order of the heap decides.</p>}
      {decision.preemption && (
        <p className={styles.hint}>
          Preemption: on {decision.preemption.node} it would evict {decision.preemption.victims.map((victim) => `${victim.namespace}/${victim.name}`).join(", ")}.
        </p>
      )}
    </>
  );
}
