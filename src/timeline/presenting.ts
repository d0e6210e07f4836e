import { recipePart } from "./follow-hash.ts";
import { playhead } from "./playhead.ts";
import { currentHash, loadFirstRun, useTimeline } from "./store.ts";

/** What a presenting page tells those that follow it: the whole link, and between links the time. */
type Word = { readonly type: "link"; readonly hash: string } | { readonly type: "time"; readonly t: number } | { readonly type: "hello" };

const CHANNEL = "millipod-present";
const LINK_DELAY_MS = 150;
/** How often followers hear of a moving playhead (ms). */
const TIME_INTERVAL_MS = 40;

/** A second window of the same page, that shows what the first one does. */
export const isAudience = (): boolean => new URLSearchParams(window.location.search).has("audience");

/** Opens that window. */
export function openAudience(): void {
  const url = new URL(window.location.href);
  url.searchParams.set("audience", "");
  window.open(url.href, "millipod-audience", "popup,width=1280,height=800");
}

/** Tells every following window what is shown here, until the returned function is called. */
export function lead(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  let link: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const say = (word: Word): void => channel.postMessage(word);
  const sayLink = (): void => {
    clearTimeout(link);
    link = setTimeout(() => void currentHash().then((hash) => say({ type: "link", hash })), LINK_DELAY_MS);
  };
  const stopTime = playhead.subscribe((t) => {
    const now = performance.now();
    if (now - last < TIME_INTERVAL_MS && useTimeline.getState().playing) return;
    last = now;
    say({ type: "time", t });
  });
  const stopState = useTimeline.subscribe((state, before) => {
    if (state.run?.id !== before.run?.id || state.detail !== before.detail || state.axis !== before.axis || (before.playing && !state.playing)) sayLink();
  });
  channel.addEventListener("message", (event: MessageEvent<Word>) => {
    if (event.data.type === "hello") sayLink();
  });
  sayLink();
  return () => {
    clearTimeout(link);
    stopTime();
    stopState();
    channel.close();
  };
}

/** Shows what a presenting window tells, until the returned function is called. */
export function follow(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", (event: MessageEvent<Word>) => {
    const word = event.data;
    if (word.type === "time") useTimeline.getState().seek(word.t);
    else if (word.type === "link") void show(word.hash);
  });
  channel.postMessage({ type: "hello" } satisfies Word);
  return () => channel.close();
}

async function show(hash: string): Promise<void> {
  if (recipePart(await currentHash()) !== recipePart(hash)) return loadFirstRun(hash);
  const { setDetail, detail, seek } = useTimeline.getState();
  const wanted = /[?&]d=(operator|source)/.exec(hash)?.[1] ?? "basic";
  if (wanted !== detail) setDetail(wanted as typeof detail);
  const t = /[?&]t=(\d+)/.exec(hash)?.[1];
  if (t !== undefined) seek(Number(t));
}
