import { LEVELS, MAIL_KINDS, NOTE_KINDS, OUTCOMES, PROTOCOLS } from "../../trace/model.ts";
import type { Level } from "./types.ts";

// The numbers that stand for names in the trace's columns.
export const KIND = { hop: MAIL_KINDS.indexOf("hop"), timer: MAIL_KINDS.indexOf("timer"), input: MAIL_KINDS.indexOf("input") };
export const OUTCOME = { inFlight: 0, delivered: OUTCOMES.indexOf("delivered"), cancelled: OUTCOMES.indexOf("cancelled"), refused: OUTCOMES.indexOf("refused"), lost: OUTCOMES.indexOf("lost") };
export const LEVEL_INDEX: Record<Level, number> = { basic: LEVELS.indexOf("basic"), operator: LEVELS.indexOf("operator"), source: LEVELS.indexOf("source") };
export const PROTOCOL_INDEX = Object.fromEntries(PROTOCOLS.map((name, index) => [name, index])) as Record<string, number>;
export const NOTE_KIND_INDEX = Object.fromEntries(NOTE_KINDS.map((name, index) => [name, index])) as Record<string, number>;
