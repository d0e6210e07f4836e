import { type JSX, lazy, Suspense } from "react";

const View = lazy(() => import("./waits-view.tsx").then((module) => ({ default: module.WaitsView })));

/** The list of waits, a part of the page that comes when it is first opened. */
export const LazyWaitsView = (props: { readonly now: number; readonly of?: string }): JSX.Element => (
  <Suspense fallback={<p>Looking…</p>}>
    <View {...props} />
  </Suspense>
);
