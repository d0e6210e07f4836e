/** A binary heap of mail ids, ordered by (due time, id): ties go to the mail sent first. */
export class MailQueue {
  private readonly due: number[] = [];
  private readonly ids: number[] = [];

  get size(): number {
    return this.ids.length;
  }

  /** Due time of the next mail; Infinity if there is none. */
  get nextDue(): number {
    return this.due[0] ?? Number.POSITIVE_INFINITY;
  }

  push(dueAt: number, id: number): void {
    let at = this.ids.length;
    this.due.push(dueAt);
    this.ids.push(id);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const parentDue = this.due[parent] as number;
      const parentId = this.ids[parent] as number;
      if (parentDue < dueAt || (parentDue === dueAt && parentId < id)) break;
      this.due[at] = parentDue;
      this.ids[at] = parentId;
      at = parent;
    }
    this.due[at] = dueAt;
    this.ids[at] = id;
  }

  /** Removes and returns the next mail's id; -1 if there is none. */
  pop(): number {
    const top = this.ids[0];
    if (top === undefined) return -1;
    const due = this.due.pop() as number;
    const id = this.ids.pop() as number;
    const size = this.ids.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && this.before(right, child)) child = right;
      const childDue = this.due[child] as number;
      const childId = this.ids[child] as number;
      if (due < childDue || (due === childDue && id < childId)) break;
      this.due[at] = childDue;
      this.ids[at] = childId;
      at = child;
    }
    this.due[at] = due;
    this.ids[at] = id;
    return top;
  }

  private before(a: number, b: number): boolean {
    const da = this.due[a] as number;
    const db = this.due[b] as number;
    return da < db || (da === db && (this.ids[a] as number) < (this.ids[b] as number));
  }
}
