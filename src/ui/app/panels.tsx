// The panels that the shell places. Each renders its own named region and imports no other panel.
export { ManifestPanel } from "../editor/manifest-panel.tsx";
export { EventsPanel } from "../events/events-panel.tsx";
export { ExerciseSlot } from "../diagnose/exercise-slot.tsx";
export { ForkBanner } from "../faults/fork-banner.tsx";
export { FaultsPanel } from "../faults/faults-panel.tsx";
export { InspectorPanel } from "../inspector/inspector-panel.tsx";
export { StoryPanel } from "../story/story-panel.tsx";
export { TerminalPanel } from "../terminal/terminal-panel.tsx";
export { TextView } from "../text-view/text-view.tsx";
