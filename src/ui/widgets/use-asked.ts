import { useEffect, useRef, useState } from "react";

export interface Asked<T> {
  readonly value?: T;
  readonly problem?: string;
  /** True until the first answer to the current key. */
  readonly waiting: boolean;
}

/**
 * The answer of an asynchronous question that is identified by `key`. While a question is under way, newer keys wait
 * and only the latest is asked, so that a moving playhead never floods the worker. The last answer stays until the next.
 */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [asked, setAsked] = useState<Asked<T> & { readonly key?: string }>({ waiting: true });
  const latest = useRef({ key, ask });
  const busy = useRef(false);
  const alive = useRef(true);

  useEffect(() => {
    latest.current = { key, ask };
  });

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  useEffect(() => {
    const run = async (): Promise<void> => {
      if (busy.current) return;
      busy.current = true;
      try {
        for (let done: string | undefined; alive.current && done !== latest.current.key; ) {
          const { key: current, ask: question } = latest.current;
          try {
            const value = await question();
            if (alive.current) setAsked({ key: current, value, waiting: false });
          } catch (error) {
            if (alive.current) setAsked({ key: current, problem: error instanceof Error ? error.message : String(error), waiting: false });
          }
          done = current;
        }
      } finally {
        busy.current = false;
      }
    };
    void run();
  }, [key]);

  return asked;
}
