// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/generic/rest/streamer.go: responses that go on, from a kubelet to a client
import type { Ctx } from "../../kernel/types.ts";
import type { Follower, StreamCancel, StreamData } from "../messages.ts";
import { type ApiServerState, type Run, withState } from "../state.ts";

/** Who asks for more than one answer; undefined when nobody does. */
export const followerOf = ({ request: { request, client } }: Run): Follower | undefined => (request.stream === undefined ? undefined : { client, stream: request.stream });

const streamed = (ctx: Ctx, message: StreamData): unknown => ctx.send(message.client, message, { protocol: "HTTPS", latency: ctx.latency("link.watch", message.stream), verb: message.done ? "EOF" : "data" });

/** The kubelet has begun to answer: with a stream, or with all there is. */
export function beginStream(run: Run, nodeName: string, follows: boolean): void {
  const follower = followerOf(run);
  if (follower === undefined) return;
  if (follows) run.state.streams = run.state.streams.set(follower.stream, `kubelet@${nodeName}`);
  else streamed(run.ctx, { type: "stream.data", ...follower, text: "", done: true });
}

/** What the kubelet sends goes to the client as it is. */
export function relayStream(ctx: Ctx, state: ApiServerState, message: StreamData): ApiServerState {
  if (state.streams.get(message.stream) === undefined) return state;
  streamed(ctx, message);
  return message.done ? withState(state, { streams: state.streams.delete(message.stream) }) : state;
}

/** The client has gone: the kubelet is told. */
export function cancelStream(ctx: Ctx, state: ApiServerState, message: StreamCancel): ApiServerState {
  const kubelet = state.streams.get(message.stream);
  if (kubelet === undefined) return state;
  ctx.send(kubelet, message, { protocol: "HTTPS", latency: ctx.latency("link.lan", message.stream), verb: "close", level: "source" });
  return withState(state, { streams: state.streams.delete(message.stream) });
}
