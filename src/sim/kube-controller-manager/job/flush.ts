// Models kubernetes/pkg/controller/job/job_controller.go (trackJobStatusAndRemoveFinalizers, flushUncountedAndRemoveFinalizers) as steps between answers
import type { Condition, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, isSuccess, messageOf } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import type { Standing } from "./evaluate.ts";
import { countReleased, enactFinished, heldUids, track } from "./track.ts";
import { isFinished, type Job } from "./types.ts";
import { type Counts, type Following, type JobMemory, type JobPlan, letGo, nameOf, releaseExpected, releaseSeen } from "./work.ts";

const uidOf = (pod: Pod): string => pod.metadata.uid ?? "";
const statusCall = (job: Job): ApiCall => ({ method: "PUT", path: `${objectPath(job)}/status`, body: job, subject: subjectOf(job) });
const done = (error: string | undefined): JobPlan => (error === undefined ? {} : { error });

interface Outcome {
  readonly counts: Counts;
  readonly finished: Condition | undefined;
  /** The status changed in something else than what Pods were counted. */
  readonly changed: boolean;
  readonly error: string | undefined;
}

/** Writes the uids of what has ended into the status, if there is something to write, then lets the Pods go. */
export function begin(key: string, standing: Standing, { counts, finished, changed, error }: Outcome, view: View<JobMemory>): JobPlan {
  const tracking = track(standing, counts, finished, changed, view.now);
  const work: Following = { step: "flush", tracking, standing, ...(error === undefined ? {} : { error }) };
  if (!tracking.needsFlush) return release(key, work, view);
  const { job } = tracking;
  const { active = 0, succeeded = 0, failed = 0 } = job.status ?? {};
  const note: Note = { text: `job-controller writes status of ${nameOf(job)}: ${active} active, ${succeeded} succeeded, ${failed} failed`, why: "counts of its Pods changed", subject: subjectOf(job) };
  return { batches: [[statusCall(job)]], notes: [note], next: work };
}

function release(key: string, work: Following, view: View<JobMemory>): JobPlan {
  const pods = work.tracking.release;
  if (pods.length === 0) return finish(work, [], undefined, view);
  return { batches: [pods.map(letGo)], memory: releaseExpected(view.memory, key, pods.map(uidOf)), next: { ...work, step: "release" } };
}

/** Pods that were let go become counts; with the last of them the Job ends. */
function finish(work: Following, released: readonly Pod[], failed: string | undefined, view: View<JobMemory>): JobPlan {
  const { tracking, standing } = work;
  const gone = new Set(released.map(uidOf));
  const status = tracking.job.status ?? {};
  const counted = countReleased(status, heldUids(standing.pods.filter((pod) => !gone.has(uidOf(pod)))));
  const job: Job = counted === status ? tracking.job : { ...tracking.job, status: counted };
  const last = failed === undefined ? enactFinished(job, tracking, view.now) : job;
  const error = failed ?? work.error;
  if (last === tracking.job) return done(error);
  return { batches: [[statusCall(last)]], next: { ...work, step: failed === undefined ? "finish" : "partial", tracking: { ...tracking, job: last }, ...(error === undefined ? {} : { error }) } };
}

function finishedEvents(job: Job, finished: Condition | undefined): readonly EventToRecord[] {
  if (!finished || !isFinished(job)) return [];
  if (finished.type === "Failed") return [{ object: job, type: "Warning", reason: finished.reason ?? "", message: finished.message ?? "" }];
  const { completions } = job.spec;
  const many: EventToRecord[] = completions !== undefined && (job.status?.succeeded ?? 0) > completions ? [{ object: job, type: "Warning", reason: "TooManySucceededPods", message: "Too many succeeded pods running after completion count reached" }] : [];
  return [...many, { object: job, type: "Normal", reason: "Completed", message: "Job completed" }];
}

function onFlushed(key: string, work: Following, answer: Answer | undefined, view: View<JobMemory>): JobPlan {
  if (answer === undefined || !isSuccess(answer)) return { error: `tracking status: adding uncounted pods to status: ${messageOf(answer ?? { status: 0, sent: false })}` };
  const backoff = view.memory.backoff.set(key, work.standing.backoff);
  const plan = release(key, { ...work, tracking: { ...work.tracking, job: answer.body as Job } }, view);
  return { ...plan, memory: { ...(plan.memory ?? view.memory), backoff } };
}

function onReleased(key: string, work: Following, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const pods = work.tracking.release;
  const isGone = (answer: Answer | undefined): boolean => answer !== undefined && (isSuccess(answer) || answer.status === 404);
  const failed = answers.find((answer) => !isGone(answer));
  // Of Pods whose patch failed no change will be seen.
  const unseen = pods.filter((_, i) => !isSuccess(answers[i] ?? { status: 0, sent: false })).map(uidOf);
  const plan = finish(work, pods.filter((_, i) => isGone(answers[i])), failed && `tracking status: ${messageOf(failed)}`, view);
  return unseen.length === 0 ? plan : { ...plan, memory: releaseSeen(view.memory, key, unseen) };
}

/** Goes on after a write of the status or the release of Pods. */
export function followed(key: string, work: Following, answers: readonly Answer[], view: View<JobMemory>): JobPlan {
  const [answer] = answers;
  if (work.step === "flush") return onFlushed(key, work, answer, view);
  if (work.step === "release") return onReleased(key, work, answers, view);
  if (answer === undefined || !isSuccess(answer)) return { error: `tracking status: removing uncounted pods from status: ${messageOf(answer ?? { status: 0, sent: false })}` };
  if (work.step === "partial") return done(work.error);
  const { job, finished } = work.tracking;
  const notes: Note[] = isFinished(job) && finished ? [{ text: `job-controller: Job ${nameOf(job)} is ${finished.type === "Complete" ? "complete" : "failed"}`, why: finished.message ?? "", level: "basic", subject: subjectOf(job) }] : [];
  return { ...done(work.error), events: finishedEvents(job, finished), notes };
}
