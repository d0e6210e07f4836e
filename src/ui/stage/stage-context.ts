import { createContext, useContext } from "react";

export interface StageActions {
  /** Opens what is inside: a component's facts, or a node. */
  readonly open: (id: string) => void;
  /** The item that is the stage's Tab stop. */
  readonly focused: string;
  readonly focus: (id: string) => void;
}

export const StageContext = createContext<StageActions>({ open: () => undefined, focused: "", focus: () => undefined });

export const useStageActions = (): StageActions => useContext(StageContext);
