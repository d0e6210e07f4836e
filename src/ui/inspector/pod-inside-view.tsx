import type { JSX } from "react";
import type { CgroupView, NamespaceView, PodInside, TaskView, VolumeView } from "../../worker/protocol.ts";
import { client } from "../../timeline/client.ts";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./inspector.module.css";
import drawing from "./pod-inside.module.css";
import { useAsked } from "../widgets/use-asked.ts";
import { FactList, Table } from "./views/parts.tsx";

const WHOSE: Readonly<Record<NamespaceView["of"], string>> = { node: "the node's", sandbox: "shared by the Pod", own: "its own", container: "another container's" };
const NAMES: Readonly<Record<string, string>> = { net: "network", ipc: "IPC", uts: "hostname", mnt: "mounts", pid: "processes", cgroup: "cgroup view", user: "users" };
const MIB = 1_048_576;

const mebibytes = (bytes: number): string => `${(bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0)} MiB`;
/** "kubepods-burstable.slice" of a path. */
const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The kernel's own name of a namespace is its inode; the kind is said in words. */
function Namespaces({ list, of }: { readonly list: readonly NamespaceView[]; readonly of: readonly NamespaceView["of"][] }): JSX.Element | null {
  const shown = list.filter((one) => of.includes(one.of));
  if (shown.length === 0) return null;
  return (
    <ul className={drawing.namespaces} aria-label="Namespaces">
      {shown.map((one) => (
        <li key={one.kind} data-of={one.of} title={`${one.id}: ${WHOSE[one.of]}`}>
          {NAMES[one.kind]} <span className={styles.dim}>{one.of === "node" ? "the node's" : one.id.slice(-5, -1)}</span>
        </li>
      ))}
    </ul>
  );
}

function Memory({ task }: { readonly task: TaskView }): JSX.Element | null {
  if (!task.usage) return null;
  const limit = Number(task.cgroup?.files["memory.max"]);
  const used = task.usage.memory;
  const share = limit > 0 ? Math.min(1, used / limit) : 0;
  return (
    <div className={drawing.memory}>
      <span>
        memory.current {mebibytes(used)}
        {limit > 0 ? ` of ${mebibytes(limit)}` : ", no limit"}
      </span>
      {limit > 0 && <span className={drawing.bar} aria-hidden="true" data-high={share > 0.9 || undefined} style={{ "--share": share } as React.CSSProperties} />}
      <span className={styles.dim}>CPU used {(task.usage.cpu / 1_000_000).toFixed(3)} s</span>
    </div>
  );
}

function Files({ cgroup, oomScoreAdj }: { readonly cgroup: CgroupView | undefined; readonly oomScoreAdj?: number }): JSX.Element | null {
  if (!cgroup) return null;
  return (
    <dl className={drawing.files}>
      {Object.entries({ ...cgroup.files, ...(oomScoreAdj === undefined ? {} : { oom_score_adj: String(oomScoreAdj) }) }).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Task({ task, pause = false }: { readonly task: TaskView; readonly pause?: boolean }): JSX.Element {
  return (
    <li className={drawing.task} data-state={task.state.replace(/ .*/, "")}>
      <p className={drawing.name}>
        <strong>{task.name}</strong> <span className={styles.dim}>{task.state}{task.attempt > 0 ? `, start ${task.attempt + 1}` : ""}</span>
        <span className={styles.dim} title={task.id}>
          {" "}
          {task.id.slice(0, 12)}
        </span>
      </p>
      {!pause && <p className={styles.dim}>{task.image}</p>}
      <Namespaces list={task.namespaces} of={pause ? ["own", "sandbox", "node"] : ["own", "container"]} />
      {task.processes.length > 0 && (
        <ul className={drawing.processes} aria-label={`Processes of ${task.name}`}>
          {task.processes.map((process, i) => (
            // A process has no other identity here.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={i}>
              {process.pid !== undefined && <span className={drawing.pid}>PID {process.pid}</span>} <code>{process.command}</code> <span className={styles.dim}>{process.doing}</span>
            </li>
          ))}
        </ul>
      )}
      <Memory task={task} />
      {task.mounts.length > 0 && (
        <details>
          <summary>Mounts {task.mounts.length}</summary>
          <ul className={drawing.mounts}>
            {task.mounts.map((mount) => (
              <li key={mount.path}>
                <code>{mount.path}</code> ← {mount.source}
                {mount.readOnly && <span className={styles.dim}>, read only</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Network({ inside }: { readonly inside: PodInside }): JSX.Element {
  const { network, sandbox } = inside;
  if (!network) return <p className={drawing.wire}>{sandbox?.namespaces.some((one) => one.kind === "net" && one.of === "node") ? "No network of its own: the node's interfaces and ports." : "No interface."}</p>;
  return (
    <div className={drawing.wire}>
      <span className={drawing.end}>
        <code>{network.bridge}</code> {network.gateway}
      </span>
      <span className={drawing.line} aria-hidden="true" />
      <span className={drawing.end}>
        <code>{network.hostVeth}</code>
        <span className={styles.dim}> one veth pair, two ends </span>
        <code>eth0</code> <strong>{network.ip}</strong>
      </span>
    </div>
  );
}

function CgroupTree({ inside }: { readonly inside: PodInside }): JSX.Element {
  const [root, ...below] = inside.cgroups;
  const tasks = [inside.sandbox, ...inside.containers].filter((task) => task?.cgroup !== undefined);
  if (!root) return <p className={styles.hint}>None yet.</p>;
  return (
    <ul className={drawing.tree}>
      {[root, ...below].reduceRight<JSX.Element>(
        (inner, cgroup) => (
          <li>
            <code>{lastPart(cgroup.path)}</code>
            <Files cgroup={cgroup} />
            <ul>{inner}</ul>
          </li>
        ),
        <>
          {tasks.map((task) => (
            <li key={task?.id}>
              <code title={lastPart(task?.cgroup?.path ?? "")}>{lastPart(task?.cgroup?.path ?? "").replace(/([0-9a-f]{12})[0-9a-f]+/, "$1…")}</code> <strong>{task?.name}</strong>
              <Files cgroup={task?.cgroup} {...(task === undefined ? {} : { oomScoreAdj: task.oomScoreAdj })} />
            </li>
          ))}
        </>,
      )}
    </ul>
  );
}

function Drawing({ inside }: { readonly inside: PodInside }): JSX.Element {
  const { sandbox, network } = inside;
  return (
    <>
      <div className={drawing.node}>
        <p className={drawing.name}>
          <strong>{inside.node}</strong> <span className={styles.dim}>the machine</span>
        </p>
        <Network inside={inside} />
        <div className={drawing.pod} data-alive={sandbox?.state === "ready" || undefined}>
          <p className={drawing.name}>
            <strong>Pod sandbox</strong> <span className={styles.dim}>{sandbox ? sandbox.state : "not made yet: first the volumes are mounted"}</span>
          </p>
          {sandbox && <Namespaces list={sandbox.namespaces} of={["sandbox", "node"]} />}
          <ul className={drawing.tasks} aria-label="What runs in the Pod">
            {sandbox && <Task task={{ ...sandbox, namespaces: sandbox.namespaces.filter((one) => one.of === "own" && one.kind !== "cgroup") }} pause />}
            {inside.containers.map((task) => (
              <Task key={task.id} task={task} />
            ))}
          </ul>
        </div>
      </div>
      <h4>Cgroups</h4>
      <p className={styles.hint}>The kubelet writes those of the node, the QoS class and the Pod (a straight line from CPU shares to cpu.weight); runc writes those of containers (a curve on which one CPU is 100).</p>
      <CgroupTree inside={inside} />
      <Table title="Volumes" columns={["volume", "kind", "state", "holds"]} none="None." rows={inside.volumes.map((volume) => [volume.name, volume.kind, volume.error === "" ? volume.state : `${volume.state}: ${volume.error}`, holds(volume)])} />
      <Table title="Files that the runtime wrote" columns={["file", "content"]} none="None." rows={Object.entries(inside.files).map(([file, content]) => [file, <pre key="content">{content.trimEnd()}</pre>])} />
      {network && (
        <>
          <h4>Network namespace</h4>
          <FactList facts={[["Handle", network.netns], ["Hardware address", network.mac], ["Routes", network.routes.join("; ")], ["Host ports", network.hostPorts.join(", ")]]} />
        </>
      )}
      <Table title="Log files" columns={["container", "file on the node"]} none="None yet." rows={inside.containers.filter((task) => task.logPath !== "").map((task) => [task.name, task.logPath])} />
    </>
  );
}

/** "note, other (12 bytes; at most 100 bytes)" */
function holds({ files, bytes, notes }: VolumeView): string {
  if (files.length === 0 && notes.length === 0) return "";
  const more = files.length > 6 ? `, and ${files.length - 6} more` : "";
  return `${files.slice(0, 6).join(", ") || "nothing"}${more} (${[`${bytes} bytes`, ...notes].join("; ")})`;
}

/** A Pod as its node has it at a time: sandbox, namespaces, processes, cgroups, network and volumes. */
export function PodInsideView({ uid, node, now }: { readonly uid: string; readonly node: string; readonly now: number }): JSX.Element {
  const run = useTimeline((state) => state.run?.id ?? "");
  const asked = useAsked(`${run}/${uid}/${node}/${now}`, () => client.podInside(uid, node, now));
  if (asked.problem !== undefined) return <p className={styles.bad}>{asked.problem}</p>;
  if (asked.waiting) return <p className={styles.hint}>Looking inside…</p>;
  return asked.value ? <Drawing inside={asked.value} /> : <p className={styles.hint}>Nothing of it is on {node} at this time.</p>;
}
