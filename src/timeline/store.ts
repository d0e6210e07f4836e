import { create } from "zustand";
import type { RunInfo, RunInput, RunRecipe } from "../worker/protocol.ts";
import { buildAxis } from "./axis.ts";
import { captionTime } from "./format.ts";
import { horizonOf } from "./horizon.ts";
import { applyInput, DEFAULTS, type Link, readHash, splitRecipe, writeHash } from "./permalink.ts";
import { createPlayback } from "./playback.ts";
import { playhead } from "./playhead.ts";
import { createRunActions } from "./runs.ts";
import { entriesOf, ownOf, sameInput, sampleOf, storyIn } from "./sample-inputs.ts";
import { Session } from "./session.ts";
import { createUndoActions } from "./undo.ts";
import { createBookmarkActions } from "./bookmarks.ts";
import { createStopActions } from "./stops.ts";
import { createVariantActions } from "./variants.ts";
import type { Theme, Timeline, TimelineActions, TimelineData } from "./types.ts";

export type { Manifest, Selection, Status, TerminalEntry, Theme, Timeline, TimelineActions, TimelineData } from "./types.ts";

const THEME_KEY = "millipod.theme";
const MOTION_KEY = "millipod.motion";

const INITIAL: TimelineData = {
  runs: [],
  steps: new Int32Array(0),
  stepTimes: new Float64Array(0),
  stepIndex: -1,
  now: 0,
  chapters: [],
  detail: "basic",
  axis: "story",
  scale: buildAxis("story", Float64Array.of(0, 1)),
  expandedGaps: new Set(),
  speed: 1,
  playing: false,
  dragging: false,
  status: "loading",
  manifest: { file: "nginx.yaml", text: "", applied: "" },
  world: DEFAULTS.world,
  seed: DEFAULTS.seed,
  terminal: [],
  theme: "system",
  reducedMotion: false,
  textView: false,
  helpOpen: false,
  comparing: false,
  align: "time",
  openNodes: [],
  stops: [],
  stopHits: [],
  bookmarks: [],
  found: [],
  presenting: false,
};

/** The connection behind the store; panels use `client.ts`. Set while the store is created. */
export let session: Session;

/** The page's state: which run, where in it, and how it is looked at. The playhead itself is in `playhead.ts`. */
export const useTimeline = create<Timeline>()((set, get) => {
  const put = (partial: Partial<TimelineData>): void => set(partial);
  session = new Session(put, get);
  return { ...INITIAL, ...createPlayback(put, get), ...createRunActions(put, get, session), ...createVariantActions(put, get, session), ...createUndoActions(put, get, session), ...createStopActions(put, get), ...createBookmarkActions(put, get), ...createViewActions(put, get) };
});

type ViewActions = Pick<TimelineActions, "setSpeed" | "setDetail" | "setAxis" | "toggleGap" | "setFound" | "setComparing" | "setAlign" | "pin" | "setHover" | "setManifestText" | "switchRun" | "restart" | "shareLink" | "setTheme" | "setReducedMotion" | "setTextView" | "setHelpOpen" | "setPresenting" | "toggleNode" | "showToast">;

function createViewActions(set: (partial: Partial<TimelineData>) => void, get: () => Timeline): ViewActions {
  let toasts = 0;
  return {
    setSpeed: (speed) => set({ speed }),
    setDetail(detail) {
      set({ detail });
      session.refresh();
    },
    setAxis(axis) {
      set({ axis });
      session.refresh();
    },
    toggleGap(from) {
      const expandedGaps = new Set(get().expandedGaps);
      if (!expandedGaps.delete(from)) expandedGaps.add(from);
      set({ expandedGaps });
      session.refresh();
    },
    setFound: (found) => set({ found }),
    setComparing: (comparing) => set({ comparing }),
    setAlign: (align) => set({ align, comparing: true }),
    pin: (pinned) => set({ pinned: pinned as never }),
    setHover: (hover) => set({ hover: hover as never }),
    setManifestText(text) {
      const { manifest, playing } = get();
      if (playing) get().pause();
      set({ manifest: { ...manifest, text } });
    },
    switchRun: (id) => session.show(id),
    async restart() {
      const recipe = get().run?.recipe;
      const title = get().run?.title ?? "baseline";
      session.reset();
      if (recipe) await openRecipe(recipe, title, playhead.get());
      else await loadFirstRun();
    },
    shareLink: async () => new URL(await currentHash(), window.location.href).href,
    setTheme(theme) {
      store("theme", theme);
      set({ theme });
    },
    setReducedMotion(reducedMotion) {
      localStorage.setItem(MOTION_KEY, reducedMotion ? "reduce" : "full");
      set({ reducedMotion });
    },
    setTextView: (textView) => set({ textView }),
    setHelpOpen: (helpOpen) => set({ helpOpen }),
    setPresenting: (presenting) => set({ presenting }),
    toggleNode(node) {
      const { openNodes } = get();
      set({ openNodes: openNodes.includes(node) ? openNodes.filter((one) => one !== node) : [...openNodes, node].slice(-3) });
    },
    showToast(text) {
      const id = ++toasts;
      set({ toast: { id, text } });
      setTimeout(() => {
        if (get().toast?.id === id) set({ toast: undefined as never });
      }, 4000);
    },
  };
}

function store(_: "theme", theme: Theme): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Theme and motion as chosen before, or as the system says. */
export function loadPreferences(): void {
  const query = window.matchMedia("(prefers-reduced-motion: reduce)");
  let theme: Theme = "system";
  let motion: string | null = null;
  try {
    const saved = localStorage.getItem(THEME_KEY);
    if (saved === "light" || saved === "dark") theme = saved;
    motion = localStorage.getItem(MOTION_KEY);
  } catch {
    // As above.
  }
  useTimeline.setState({ theme, reducedMotion: motion === null ? query.matches : motion === "reduce" });
  query.addEventListener("change", () => {
    if (motion === null) useTimeline.setState({ reducedMotion: query.matches });
  });
}

async function openRecipe(recipe: RunRecipe, title: string, t: number | undefined, fork?: number, atLeast = 0): Promise<void> {
  const until = Math.max(horizonOf(recipe.inputs), atLeast, (t ?? 0) + 1_000_000);
  const own = ownOf(useTimeline.getState().catalogue, recipe);
  const isOwn = (input: RunInput): boolean => own.some((one) => sameInput(one, input));
  // The run that a fork came from had all that its sample does.
  const before = recipe.inputs.filter((input) => fork === undefined || input.at < fork || input === recipe.inputs[0] || isOwn(input));
  session.opening = fork !== undefined;
  session.expect({ seek: t, entries: entriesOf(session, before) });
  const root = await session.call({ type: "start", recipe: { ...recipe, inputs: before }, until: fork === undefined ? until : Math.max(horizonOf(before), atLeast, fork), title });
  if (fork === undefined) return;
  const after = recipe.inputs.filter((input) => input.at >= fork && input !== recipe.inputs[0]);
  session.expect({ seek: t, entries: entriesOf(session, after) });
  await session.call({ type: "fork", run: root.id, at: fork, inputs: after, until, title: titleOf(after.filter((input) => !isOwn(input))) });
  session.opening = false;
  session.refresh();
}

const faultTitle = (id: string): string => useTimeline.getState().catalogue?.faults.find((fault) => fault.id === id)?.title ?? id;

const titleOf = (inputs: readonly RunInput[]): string => inputs.map((input) => `${input.type === "fault" ? faultTitle(input.id) : input.type === "edited" ? "edit" : (input.argv[0] ?? "")} at ${captionTime(input.at)}`).join(", ") || "fork";

/** The page's first run: what the link says, or the sample in its cluster. Never throws: problems go to the store. */
export async function loadFirstRun(hash = window.location.hash): Promise<void> {
  try {
    const [link, catalogue] = await Promise.all([readHash(hash), session.call({ type: "catalogue" })]);
    useTimeline.setState({ catalogue });
    await openLink(link ?? { inputs: [] });
  } catch (error) {
    session.opening = false;
    useTimeline.setState({ status: "failed", problem: error instanceof Error ? error.message : String(error) });
  }
}

async function openLink(link: Link): Promise<void> {
  const { catalogue } = useTimeline.getState();
  const sample = link.manifest ? undefined : (catalogue?.samples.find((one) => one.id === (link.sample ?? DEFAULTS.sample)) ?? catalogue?.samples[0]);
  const file = link.manifest?.file ?? sample?.file ?? "manifest.yaml";
  const text = link.manifest?.text ?? sample?.text ?? "";
  const world = link.world ?? sample?.world ?? catalogue?.worlds[0]?.id ?? DEFAULTS.world;
  const seed = link.seed ?? DEFAULTS.seed;
  useTimeline.setState({
    manifest: { file, text, applied: text },
    sample: sample?.id as never,
    world,
    seed,
    detail: link.detail ?? "basic",
    axis: link.axis ?? "story",
    textView: link.text ?? false,
    bookmarks: link.bookmarks ?? [],
    loop: link.loop as never,
    stops: (link.stops ?? []).map((text) => ({ text, on: true })),
  });
  const story = sample && storyIn(world, sample);
  const inputs = [applyInput(0, file, text), ...[...(story?.after ?? []), ...link.inputs].sort((a, b) => a.at - b.at)];
  const recipe: RunRecipe = { world, seed, profile: link.profile ?? "quiet", inputs, ...(link.schedulerConfig === undefined ? {} : { schedulerConfig: link.schedulerConfig }), ...(link.slowdowns === undefined ? {} : { slowdowns: link.slowdowns }), ...(link.exercise === undefined ? {} : { exercise: link.exercise }) };
  await openRecipe(recipe, "baseline", link.t, link.fork, story?.until);
}

/** The hash for what is shown now, or for another run at the same time and in the same view. */
export async function currentHash(of?: RunInfo): Promise<string> {
  const state = useTimeline.getState();
  const { catalogue, axis, detail, textView, stops, bookmarks, loop } = state;
  const run = of ?? state.run;
  const recipe = run?.recipe;
  const split = recipe && splitRecipe(recipe);
  const sample = recipe && sampleOf(catalogue, recipe);
  return writeHash({
    ...(sample ? { sample: sample.id } : { manifest: { file: split?.file ?? "manifest.yaml", text: split?.text ?? "" } }),
    ...(recipe ? { world: recipe.world, seed: recipe.seed, profile: recipe.profile, ...(recipe.schedulerConfig === undefined ? {} : { schedulerConfig: recipe.schedulerConfig }), ...(recipe.slowdowns === undefined ? {} : { slowdowns: recipe.slowdowns }), ...(recipe.exercise === undefined ? {} : { exercise: recipe.exercise }) } : {}),
    inputs: (split?.rest ?? []).filter((input) => !(sample?.after ?? []).some((own) => sameInput(own, input))),
    ...(run?.forkAt === undefined ? {} : { fork: run.forkAt }),
    axis,
    detail,
    text: textView,
    stops: stops.flatMap((stop) => (stop.on ? [stop.text] : [])),
    bookmarks,
    ...(loop === undefined ? {} : { loop }),
    t: playhead.get(),
  }, sample?.world);
}
