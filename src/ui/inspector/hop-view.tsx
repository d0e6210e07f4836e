import { type JSX, useState } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import type { HopView as Hop } from "../../trace/trace.ts";
import { client } from "../../timeline/client.ts";
import { clockTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { CausesView } from "./causes-view.tsx";
import { DataText, TextBlock } from "./data-text.tsx";
import { DiffView } from "./diff-view.tsx";
import styles from "./inspector.module.css";
import { keyOfSubject, versionOfMail } from "./object-key.ts";
import { partsOf } from "./payload.ts";
import { Tabs } from "./tabs.tsx";
import { StopButton } from "../widgets/stop-button.tsx";
import { bestNote, failedHop, fromUser, hopSentence } from "../widgets/trace-text.ts";
import { useAsked } from "../widgets/use-asked.ts";
import { GateList } from "./views/gate-list.tsx";
import { gatesOfRequest } from "./views/gates.ts";
import { toJson } from "./yaml.ts";

function ComponentLink({ id }: { readonly id: string }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  return (
    <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "component", id })}>
      {id}
    </button>
  );
}

function Facts({ index, hop }: { readonly index: TraceIndex; readonly hop: Hop }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const key = keyOfSubject(index, hop.subject);
  const end = hop.cancelledAt >= 0 ? hop.cancelledAt : hop.dueAt;
  return (
    <dl className={styles.facts}>
      <dt>When</dt>
      <dd>
        {clockTime(hop.sentAt)}, for {shortTime(end - hop.sentAt)}
      </dd>
      <dt>From</dt>
      <dd>{fromUser(hop) ? "you" : <ComponentLink id={hop.from} />}</dd>
      <dt>To</dt>
      <dd>
        <ComponentLink id={hop.to} />
      </dd>
      <dt>How</dt>
      <dd>
        {hop.protocol} {hop.verb}
      </dd>
      {hop.subject !== "" && (
        <>
          <dt>About</dt>
          <dd>
            {key === undefined ? (
              hop.subject
            ) : (
              <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "object", key })}>
                {hop.subject}
              </button>
            )}
          </dd>
        </>
      )}
      {hop.status > 0 && (
        <>
          <dt>Status</dt>
          <dd className={failedHop(hop) ? styles.bad : styles.good}>{hop.status}</dd>
        </>
      )}
      <dt>Outcome</dt>
      <dd className={hop.outcome === "lost" || hop.outcome === "refused" ? styles.bad : undefined}>{hop.outcome}</dd>
      {hop.fault !== "" && (
        <>
          <dt>Fault</dt>
          <dd className={styles.bad}>{hop.fault}</dd>
        </>
      )}
      <dt>Number</dt>
      <dd>message {hop.id}</dd>
    </dl>
  );
}

function PayloadTab({ run, mail }: { readonly run: string; readonly mail: number }): JSX.Element {
  const asked = useAsked(`${run}/${mail}`, () => client.payload(mail));
  if (asked.problem !== undefined) return <p className={styles.bad}>{asked.problem}</p>;
  if (asked.waiting) return <p className={styles.hint}>Reading the message…</p>;
  const parts = partsOf(asked.value);
  if (parts.length === 0) return <p className={styles.hint}>It carries nothing but itself.</p>;
  return (
    <>
      {parts.map((part) => (
        <div key={part.title} className={styles.part}>
          <h4>{part.title}</h4>
          {part.as === "line" && <p className={styles.line}>{part.text}</p>}
          {part.as === "text" && <TextBlock text={part.text} />}
          {part.as === "pairs" && (
            <dl className={styles.pairs}>
              {part.pairs.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          {part.as === "object" && <DataText label={part.title} value={part.value} />}
        </div>
      ))}
    </>
  );
}

function DiffTab({ index, mail }: { readonly index: TraceIndex; readonly mail: number }): JSX.Element {
  const pair = versionOfMail(index, mail);
  if (!pair) return <p className={styles.hint}>The store holds no object that this is about.</p>;
  return (
    <>
      <p className={styles.hint}>
        {pair.caused ? "What this request changed" : "The latest change of the object when this was sent"}: {pair.verb} at revision {pair.revision}, {pair.at < 0 ? "before the run began" : clockTime(pair.at)}.
      </p>
      {pair.verb === "delete" ? <p className={styles.bad}>Deleted.</p> : <DiffView before={pair.before} after={pair.after} />}
    </>
  );
}

function RawTab({ run, hop }: { readonly run: string; readonly hop: Hop }): JSX.Element {
  const asked = useAsked(`${run}/${hop.id}`, () => client.payload(hop.id));
  return <TextBlock text={toJson({ ...hop, payload: asked.value })} />;
}

/** "kubelet -> kube-apiserver PATCH", whichever node's kubelet it is. */
const conditionOf = ({ from, to, verb }: Hop): string => `${from} -> ${to}${/^\S+$/.test(verb) ? ` ${verb}` : ""}`;

/** One message, timer or input: its row of the trace, what it carried, what it changed, and why it was sent. */
export function HopView({ index, mail }: { readonly index: TraceIndex; readonly mail: number }): JSX.Element {
  const [tab, setTab] = useState("payload");
  const run = useTimeline((state) => state.run?.id ?? "");
  const hop = index.trace.hop(mail);
  const note = bestNote(index.trace, mail);
  const now = useTimeline((state) => state.now);
  const gates = hop.to === "kube-apiserver" && hop.protocol === "HTTPS" ? gatesOfRequest(index, mail, now) : undefined;
  return (
    <>
      <h3 className={styles.title}>{hopSentence(hop)}</h3>
      {note && (
        <p className={styles.sentence}>
          {note.text}
          {note.why !== "" && <span className={styles.dim}> {note.why}</span>}
        </p>
      )}
      <Facts index={index} hop={hop} />
      <p className={styles.actions}>
        {hop.kind === "hop" && <StopButton label="Stop at such messages" className={styles.small} condition={conditionOf(hop)} />}
        {hop.status >= 400 && hop.protocol === "HTTPS" && <StopButton label={`Stop at ${hop.status}`} className={styles.small} condition={`http ${hop.status}`} />}
      </p>
      <Tabs
        label="About this message"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: "payload", title: "Payload", content: () => <PayloadTab run={run} mail={mail} /> },
          ...(gates ? [{ id: "gates", title: `Gates (${gates.gates.length})`, content: () => <GateList request={gates} server={hop.to} /> }] : []),
          { id: "diff", title: "Diff", content: () => <DiffTab index={index} mail={mail} /> },
          { id: "causes", title: "Causes", content: () => <CausesView index={index} mail={mail} /> },
          { id: "raw", title: "Raw", content: () => <RawTab run={run} hop={hop} /> },
        ]}
      />
    </>
  );
}
