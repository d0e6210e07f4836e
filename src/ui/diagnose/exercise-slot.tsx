import { type JSX, lazy, Suspense } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { PanelDialog } from "../widgets/panel-dialog.tsx";
import { useDiagnose } from "./state.ts";

const ExerciseCard = lazy(() => import("./exercise-card.tsx").then((module) => ({ default: module.ExerciseCard })));
const AnswerDialog = lazy(() => import("./answer-dialog.tsx").then((module) => ({ default: module.AnswerDialog })));

/** Where the card of an open exercise stands; its parts are loaded when there is one. */
export function ExerciseSlot(): JSX.Element | null {
  const hiding = useTimeline((state) => state.run?.recipe.exercise?.slug);
  const slug = useDiagnose((state) => hiding ?? (state.end === undefined ? undefined : state.slug));
  if (slug === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ExerciseCard slug={slug} />
      <PanelDialog panel="Answer" title="What is broken, and where?" body={AnswerDialog} />
    </Suspense>
  );
}
