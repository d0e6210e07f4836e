// Models kubernetes/pkg/scheduler/schedule_one.go (nodeScoreHeap, numFeasibleNodesToFind) and Go's container/heap

const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND = 5;

export interface NodeTotal {
  readonly name: string;
  readonly totalScore: number;
  /** Only filled for nodes that an extender scored; 0 otherwise, so that ties go to the order of the heap. */
  readonly randomizer: number;
}

const better = (a: NodeTotal | undefined, b: NodeTotal | undefined): boolean =>
  a !== undefined && b !== undefined && (a.totalScore > b.totalScore || (a.totalScore === b.totalScore && a.randomizer > b.randomizer));

function swap(heap: NodeTotal[], i: number, j: number): void {
  const [a, b] = [heap[i], heap[j]];
  if (a === undefined || b === undefined) return;
  heap[i] = b;
  heap[j] = a;
}

function down(heap: NodeTotal[], from: number, length: number): void {
  for (let i = from; ; ) {
    const left = 2 * i + 1;
    if (left >= length) return;
    const child = left + 1 < length && better(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!better(heap[child], heap[i])) return;
    swap(heap, i, child);
    i = child;
  }
}

/** The nodes in the order in which the heap yields them: best first, ties as Go's heap leaves them. */
export function popOrder(totals: readonly NodeTotal[]): NodeTotal[] {
  const heap = [...totals];
  for (let i = Math.floor(heap.length / 2) - 1; i >= 0; i -= 1) down(heap, i, heap.length);
  const order: NodeTotal[] = [];
  while (heap.length > 0) {
    swap(heap, 0, heap.length - 1);
    down(heap, 0, heap.length - 1);
    const top = heap.pop();
    if (top !== undefined) order.push(top);
  }
  return order;
}

/** The chosen node; undefined for no nodes. */
export const selectHost = (totals: readonly NodeTotal[]): string | undefined => popOrder(totals)[0]?.name;

/** How many nodes that fit are enough: all below 100 nodes, else a share of them. 0 percent means adaptive. */
export function numFeasibleNodesToFind(numAllNodes: number, percentageOfNodesToScore: number, profilePercentage?: number | null): number {
  if (numAllNodes < MIN_FEASIBLE_NODES_TO_FIND) return numAllNodes;
  let percentage = profilePercentage ?? percentageOfNodesToScore;
  if (percentage === 0) percentage = Math.max(50 - Math.floor(numAllNodes / 125), MIN_FEASIBLE_NODES_PERCENTAGE_TO_FIND);
  return Math.max(Math.floor((numAllNodes * percentage) / 100), MIN_FEASIBLE_NODES_TO_FIND);
}
