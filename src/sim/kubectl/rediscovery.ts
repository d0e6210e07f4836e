// Models kubernetes/staging/src/k8s.io/client-go/restmapper/discovery.go (DeferredDiscoveryRESTMapper.Reset)
import { customOf, DISCOVERY } from "../client-go/discovery.ts";
import { errorText } from "./errors.ts";
import { type Answer, ask, type Command, fail, say, type Turn } from "./session.ts";

const GROUPS = "discovery/apis";
const CORE = "discovery/api";
export const isDiscovery = (tag: string): boolean => tag === GROUPS || tag === CORE;

const request = (turn: Turn, tag: string, path: string): void => ask(turn, tag, { method: "GET", path, query: { timeout: "32s" }, accept: DISCOVERY, subject: path });

/** Asks the server anew what it serves. */
export function rediscover(turn: Turn): void {
  say(turn, "throws its cached discovery away and asks the server what it serves", "a type is named that the cache, up to 6 h old, does not know", "operator");
  request(turn, CORE, "/api");
}

/** The command begins again, or goes on where it stood, with what the server says. */
export function onDiscovery(turn: Turn, command: Command | undefined, tag: string, answer: Answer): void {
  if (answer.refused || answer.status >= 400) return fail(turn, errorText(answer, turn.config.server));
  if (tag === CORE) return request(turn, GROUPS, "/apis");
  turn.session = { ...turn.session, discovered: customOf(answer.body), fresh: true };
  if (command?.resume !== undefined) command.resume(turn);
  else command?.start(turn);
}
