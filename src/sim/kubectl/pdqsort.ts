// Models Go's sort.Sort (pattern-defeating quicksort): the order in which equal elements end up is its own

type Less = (a: number, b: number) => boolean;
const INSERTION = 12;
const NINTHER = 50;

/** Sorts small integers (places) by `less`; equal ones are left where Go's sort leaves them. */
export function pdqsort(places: readonly number[], less: Less): readonly number[] {
  const data = [...places];
  const n = data.length;
  const at = (i: number): number => data[i] ?? 0;
  const lt = (i: number, j: number): boolean => less(at(i), at(j));
  const swap = (i: number, j: number): void => {
    [data[i], data[j]] = [at(j), at(i)];
  };
  const insertion = (a: number, b: number): void => {
    for (let i = a + 1; i < b; i++) for (let j = i; j > a && lt(j, j - 1); j--) swap(j, j - 1);
  };
  const heap = (a: number, b: number): void => {
    const down = (low: number, high: number): void => {
      for (let root = low; ; ) {
        let child = 2 * root + 1;
        if (child >= high) return;
        if (child + 1 < high && lt(a + child, a + child + 1)) child++;
        if (!lt(a + root, a + child)) return;
        swap(a + root, a + child);
        root = child;
      }
    };
    for (let i = (b - a - 1) >> 1; i >= 0; i--) down(i, b - a);
    for (let i = b - a - 1; i >= 0; i--) {
      swap(a, a + i);
      down(0, i);
    }
  };
  const bits = (value: number): number => 32 - Math.clz32(value);

  const breakPatterns = (a: number, b: number): void => {
    const length = b - a;
    if (length < 8) return;
    let random = BigInt(length);
    const modulus = 1n << BigInt(bits(length));
    const place = a + Math.floor(length / 4) * 2 - 1;
    for (let i = 0; i < 3; i++) {
      random ^= (random << 13n) & 0xffffffffffffffffn;
      random ^= random >> 7n;
      random ^= (random << 17n) & 0xffffffffffffffffn;
      let other = Number(random & (modulus - 1n));
      if (other >= length) other -= length;
      swap(place - 1 + i, a + other);
    }
  };
  const partialInsertion = (a: number, b: number): boolean => {
    let i = a + 1;
    for (let step = 0; step < 5; step++) {
      while (i < b && !lt(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < 50) return false;
      swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && lt(j, j - 1); j--) swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && lt(j, j - 1); j++) swap(j, j - 1);
    }
    return false;
  };
  const choosePivot = (a: number, b: number): { readonly pivot: number; readonly hint: "increasing" | "decreasing" | "unknown" } => {
    const length = b - a;
    let swaps = 0;
    const quarter = Math.floor(length / 4);
    let [i, j, k] = [a + quarter, a + quarter * 2, a + quarter * 3];
    const order = (x: number, y: number): readonly [number, number] => {
      if (!lt(y, x)) return [x, y];
      swaps++;
      return [y, x];
    };
    const median = (x0: number, y0: number, z0: number): number => {
      let [x, y, z] = [x0, y0, z0];
      [x, y] = order(x, y);
      [y, z] = order(y, z);
      [x, y] = order(x, y);
      return y;
    };
    if (length >= 8) {
      if (length >= NINTHER) {
        i = median(i - 1, i, i + 1);
        j = median(j - 1, j, j + 1);
        k = median(k - 1, k, k + 1);
      }
      j = median(i, j, k);
    }
    return { pivot: j, hint: swaps === 0 ? "increasing" : swaps === 12 ? "decreasing" : "unknown" };
  };
  const partitionEqual = (a: number, b: number, pivot: number): number => {
    swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (;;) {
      while (i <= j && !lt(a, i)) i++;
      while (i <= j && lt(a, j)) j--;
      if (i > j) return i;
      swap(i++, j--);
    }
  };
  const partition = (a: number, b: number, pivot: number): { readonly mid: number; readonly already: boolean } => {
    swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    while (i <= j && lt(i, a)) i++;
    while (i <= j && !lt(j, a)) j--;
    if (i > j) {
      swap(j, a);
      return { mid: j, already: true };
    }
    swap(i++, j--);
    for (;;) {
      while (i <= j && lt(i, a)) i++;
      while (i <= j && !lt(j, a)) j--;
      if (i > j) break;
      swap(i++, j--);
    }
    swap(j, a);
    return { mid: j, already: false };
  };
  const sort = (from: number, to: number, limit0: number): void => {
    let [a, b, limit, balanced, partitioned] = [from, to, limit0, true, true];
    for (;;) {
      const length = b - a;
      if (length <= INSERTION) return insertion(a, b);
      if (limit === 0) return heap(a, b);
      if (!balanced) {
        breakPatterns(a, b);
        limit--;
      }
      let { pivot, hint } = choosePivot(a, b);
      if (hint === "decreasing") {
        for (let i = a, j = b - 1; i < j; i++, j--) swap(i, j);
        pivot = b - 1 - (pivot - a);
        hint = "increasing";
      }
      if (balanced && partitioned && hint === "increasing" && partialInsertion(a, b)) return;
      if (a > 0 && !lt(a - 1, pivot)) {
        a = partitionEqual(a, b, pivot);
        continue;
      }
      const { mid, already } = partition(a, b, pivot);
      partitioned = already;
      const [left, right] = [mid - a, b - mid];
      const enough = Math.floor(length / 8);
      if (left < right) {
        balanced = left >= enough;
        sort(a, mid, limit);
        a = mid + 1;
      } else {
        balanced = right >= enough;
        sort(mid + 1, b, limit);
        b = mid;
      }
    }
  };
  sort(0, n, bits(n));
  return data;
}
