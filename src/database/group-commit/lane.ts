/** Writes the groups of one durability, one after the other. */
import type { Gathering, GroupKind, GroupResult, Measure } from './group.js';
import { allFailed, notRecorded, outcomeUnknown } from './group.js';

/** A record in the queue. A group accepts it as a whole. */
export interface Waiting<Input, Entry, Outcome> extends Measure {
  readonly record: Input;
  readonly answer: (result: GroupResult<Entry, Outcome>) => void;
}

interface Group<Input, Entry, Outcome> {
  readonly members: readonly Waiting<Input, Entry, Outcome>[];
  readonly entries: readonly Entry[];
}

export interface LaneOptions<Input, Entry extends object, Outcome> {
  readonly kind: GroupKind<Input, Entry, Outcome>;
  /** Must not throw. */
  readonly write: (entries: readonly Entry[]) => Promise<GroupResult<Entry, Outcome>>;
  /** Called with records that have left the queue. */
  readonly onLeft: (members: readonly Waiting<Input, Entry, Outcome>[]) => void;
  readonly groupWaitMaxMs: number;
}

export class Lane<Input, Entry extends object, Outcome> {
  #waiting: Waiting<Input, Entry, Outcome>[] = [];
  #running: Promise<void> | null = null;
  #stalled = false;
  readonly #options: LaneOptions<Input, Entry, Outcome>;

  constructor(options: LaneOptions<Input, Entry, Outcome>) {
    this.#options = options;
  }

  /** Whether the current group has taken too long. */
  get isStalled(): boolean {
    return this.#stalled;
  }

  add(member: Waiting<Input, Entry, Outcome>): void {
    this.#waiting.push(member);
    this.#running ??= this.#run();
  }

  /** Resolves when no records are waiting or being written. */
  get idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  async #run(): Promise<void> {
    const { write, onLeft, groupWaitMaxMs } = this.#options;
    while (this.#waiting.length > 0) {
      // Records from the rest of this event loop turn may join: requests of one read, and callers whose group has just been answered.
      await endOfTurn();
      const group = this.#take();
      onLeft(group.members);
      const late = setTimeout(() => this.#stall(group), groupWaitMaxMs);
      const result = await write(group.entries);
      clearTimeout(late);
      this.#stalled = false;
      for (const { answer } of group.members) answer(result); // has no effect for callers that already got an error
    }
    this.#running = null;
  }

  /** Reports errors to all callers. The lane keeps its group, because a second one would conflict with it. */
  #stall(group: Group<Input, Entry, Outcome>): void {
    const { kind, onLeft } = this.#options;
    this.#stalled = true;
    const dropped = this.#waiting.splice(0);
    onLeft(dropped);
    const unknown = allFailed<Entry, Outcome>(group.entries, outcomeUnknown(kind.words.one));
    for (const { answer } of group.members) answer(unknown);
    for (const { record, answer } of dropped) answer(allFailed(this.#entriesOf(record), notRecorded(kind.words.one)));
  }

  #take(): Group<Input, Entry, Outcome> {
    const { kind } = this.#options;
    const gathering: Gathering<Input, Entry> = kind.gather();
    let [items, end] = [0, 0];
    for (const member of this.#waiting) {
      if (items >= kind.itemsMax || gathering.size >= kind.entriesMax) break;
      gathering.add(member.record);
      items += member.items;
      end += 1;
    }
    return { members: this.#waiting.splice(0, end), entries: gathering.entries };
  }

  #entriesOf(record: Input): readonly Entry[] {
    const gathering = this.#options.kind.gather();
    gathering.add(record);
    return gathering.entries;
  }
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
