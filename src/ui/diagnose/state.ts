import { create } from "zustand";

const KEY = "millipod.solved";

function solvedBefore(): readonly string[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Where the learner stands with the exercise that is open. */
interface Diagnose {
  readonly slug: string | undefined;
  /** 0: none; 1: where to look; 2: which commands. */
  readonly hints: number;
  /** What was said of the last answer. */
  readonly remark: string;
  readonly end: "found" | "given up" | undefined;
  /** Slugs of the exercises that were found out in this browser. */
  readonly solved: readonly string[];
  begin(slug: string): void;
  hint(): void;
  refute(remark: string): void;
  finish(end: "found" | "given up"): void;
  leave(): void;
}

export const useDiagnose = create<Diagnose>()((set, get) => ({
  slug: undefined,
  hints: 0,
  remark: "",
  end: undefined,
  solved: typeof localStorage === "undefined" ? [] : solvedBefore(),
  begin: (slug) => set({ slug, hints: 0, remark: "", end: undefined }),
  hint: () => set({ hints: Math.min(2, get().hints + 1) }),
  refute: (remark) => set({ remark }),
  finish(end) {
    const { slug, solved } = get();
    const next = end === "found" && slug !== undefined && !solved.includes(slug) ? [...solved, slug] : solved;
    set({ end, remark: "", solved: next });
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage the marks last as long as the page.
    }
  },
  leave: () => set({ slug: undefined, hints: 0, remark: "", end: undefined }),
}));
