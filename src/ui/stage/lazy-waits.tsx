import { type JSX, lazy, Suspense } from "react";
import type { CapsuleProps, PlaceProps } from "./waits/countdowns.tsx";

const load = (): Promise<typeof import("./waits/countdowns.tsx")> => import("./waits/countdowns.tsx");
const Feed = lazy(async () => ({ default: (await load()).WaitsFeed }));
const Capsule = lazy(async () => ({ default: (await load()).CapsuleWaits }));
const Place = lazy(async () => ({ default: (await load()).PlaceWait }));

/** Countdowns are a part of the page that comes after it: nothing is drawn in their place meanwhile. */
export const WaitsFeed = (): JSX.Element => (
  <Suspense>
    <Feed />
  </Suspense>
);

/** Countdown and probe ticks in a Pod's capsule. */
export const CapsuleWaits = (props: CapsuleProps): JSX.Element => (
  <Suspense>
    <Capsule {...props} />
  </Suspense>
);

/** Countdown in a component's box, or at a node. */
export const PlaceWait = (props: PlaceProps): JSX.Element => (
  <Suspense>
    <Place {...props} />
  </Suspense>
);
