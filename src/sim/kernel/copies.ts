/**
 * Why states with many fields are copied field by field (`copyX`, `withX` beside their types) and not by a spread: each
 * `{ ...state }` of the source gives its copies a hidden class of its own, and whatever reads them afterwards is slow.
 * A copy written out costs a tenth of it and keeps one shape. Fields that may be absent hold undefined instead.
 */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };
