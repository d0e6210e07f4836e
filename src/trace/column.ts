type Typed = Float64Array | Int32Array | Uint16Array | Uint8Array;

const INITIAL_CAPACITY = 256;

/** An append-only typed column that grows by doubling; `view()` is the filled part, without a copy. */
export class Column<T extends Typed> {
  private data: T;
  private readonly make: (capacity: number) => T;
  length = 0;

  constructor(make: (capacity: number) => T, capacity = INITIAL_CAPACITY) {
    this.make = make;
    this.data = make(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = this.make(this.data.length * 2);
      grown.set(this.data as never);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }

  /** The value at a row; 0 beyond the end (rows are always addressed by ids the trace itself gave out). */
  get(row: number): number {
    return this.data[row] ?? 0;
  }

  set(row: number, value: number): void {
    this.data[row] = value;
  }

  view(): T {
    return this.data.subarray(0, this.length) as T;
  }

  /** A column of its own holding the first `count` rows: how a fork shares its parent's prefix. */
  prefix(count: number): Column<T> {
    const copy = new Column<T>(this.make, Math.max(INITIAL_CAPACITY, count + (count >> 1)));
    copy.data.set(this.data.subarray(0, count) as never);
    copy.length = count;
    return copy;
  }

  /** Takes over an array received from the worker. */
  append(rows: T): void {
    const needed = this.length + rows.length;
    if (needed > this.data.length) {
      const grown = this.make(Math.max(needed, this.data.length * 2));
      grown.set(this.view() as never);
      this.data = grown;
    }
    this.data.set(rows as never, this.length);
    this.length = needed;
  }
}

export const f64 = (): Column<Float64Array> => new Column((n) => new Float64Array(n));
export const i32 = (): Column<Int32Array> => new Column((n) => new Int32Array(n));
export const u16 = (): Column<Uint16Array> => new Column((n) => new Uint16Array(n));
export const u8 = (): Column<Uint8Array> => new Column((n) => new Uint8Array(n));
