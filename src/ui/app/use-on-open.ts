import { useEffect, useEffectEvent } from "react";

/** Calls back when a panel asks the page to open another one ("millipod:open"). */
export function useOnOpen(callback: (panel: string) => void): void {
  const onOpen = useEffectEvent(callback);
  useEffect(() => {
    const listener = (event: Event): void => {
      const { panel } = (event as CustomEvent<{ panel?: string } | null>).detail ?? {};
      if (panel !== undefined) onOpen(panel);
    };
    window.addEventListener("millipod:open", listener);
    return () => window.removeEventListener("millipod:open", listener);
  }, []);
}
