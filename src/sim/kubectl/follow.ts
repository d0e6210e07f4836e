// Models bufio readers over responses that go on: kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/logs/logs.go (DefaultConsumeRequest, prefixingWriter)
import { API_SERVER } from "../client-go/api-client.ts";
import type { StreamCancel, StreamData } from "../kube-apiserver/messages.ts";
import { type Answer, type Command, printRaw, type Session, type Sink, type Turn } from "./session.ts";

/** The tag of a request whose answer goes on. */
const TAG = "follow ";
export const followTag = (stream: string): string => `${TAG}${stream}`;
export const isFollow = (tag: string): boolean => tag.startsWith(TAG);

export const newSink = (prefix: string): Sink => ({ prefix, open: false, early: "", over: false });

function put(turn: Turn, { prefix }: Sink, text: string): void {
  if (text !== "") printRaw(turn, prefix === "" ? text : text.replaceAll(/^(?=[^])/gm, prefix));
}

function close(turn: Turn, command: Command | undefined, stream: string, refusal: Answer | undefined): void {
  const { [stream]: _, ...sinks } = turn.session.sinks;
  turn.session = { ...turn.session, sinks, streams: turn.session.streams.filter((other) => other !== stream) };
  command?.onEnd?.(turn, stream, refusal);
}

/** The answer that opens a stream has what was there already. */
export function onFollowAnswer(turn: Turn, command: Command | undefined, tag: string, answer: Answer): void {
  const stream = tag.slice(TAG.length);
  const sink = turn.session.sinks[stream];
  if (sink === undefined) return;
  const { error } = (typeof answer.body === "object" && answer.body !== null ? answer.body : {}) as { readonly error?: string };
  if (answer.refused || answer.status >= 400 || error !== undefined) return close(turn, command, stream, answer);
  put(turn, sink, `${typeof answer.body === "string" ? answer.body : ""}${sink.early}`);
  if (sink.over) return close(turn, command, stream, undefined);
  turn.session = { ...turn.session, sinks: { ...turn.session.sinks, [stream]: { ...sink, open: true, early: "" } } };
}

export function onStreamData(turn: Turn, command: Command | undefined, { stream, text, done }: StreamData): void {
  const sink = turn.session.sinks[stream];
  if (sink === undefined) return;
  if (!sink.open) turn.session = { ...turn.session, sinks: { ...turn.session.sinks, [stream]: { ...sink, early: sink.early + text, over: sink.over || done } } };
  else {
    put(turn, sink, text);
    if (done) close(turn, command, stream, undefined);
  }
}

/** A process that ends closes what it reads. */
export function cancelStreams(turn: Turn, { sinks }: Session): void {
  for (const stream of Object.keys(sinks)) turn.ctx.send(API_SERVER, { type: "stream.cancel", stream } satisfies StreamCancel, { protocol: "HTTPS", latency: turn.ctx.latency("link.watch", stream), verb: "close", level: "source" });
}
