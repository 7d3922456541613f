/** A client that applies what it is sent of a followed list, as the API says. */
import { waitFor } from '../../../harness/wait-for.js';
import { type ListChange, listFeed } from '../../../src/models/social/news/list-feed.js';
import { type ListArgs, SHOWN_FIRST } from '../../../src/models/social/news/list-state.js';
import { byAge, type PostDocument } from '../../../src/models/social/posts/post.js';
import type { Hub } from '../../../src/realtime/index.js';

/** Less than a test has, so that the message names what was waited for. */
const WAIT_MS = 25_000;

export class ListClient {
  readonly #posts = new Map<string, PostDocument>();
  readonly #looks = new Map<string, string>();
  #cursor: string | null = null;
  #follow: Awaited<ReturnType<typeof this.open>> | null = null;
  #snapshots = 0;
  /** What it was sent. */
  readonly reached = { changes: 0, removals: 0, resumed: 0, resets: 0 };
  /** The ids of all that it was told to remove. */
  readonly removed: string[] = [];

  /**
   * @param look what a client is shown of posts besides what is stored in them, at the moment they are told
   * @param isLost whether a change does not arrive, by its number from 1 on
   */
  constructor(
    readonly args: ListArgs,
    private readonly look: (posts: readonly PostDocument[]) => Promise<readonly string[]> = async () => [],
    private readonly isLost: (change: number) => boolean = () => false,
  ) {}

  private open(hub: Hub) {
    return hub.follow(listFeed, this.args, { after: this.#cursor });
  }

  async connect(hub: Hub): Promise<void> {
    const isResumed = this.#cursor !== null;
    const follow = await this.open(hub);
    this.#follow = follow;
    let isFirst = true;
    void (async () => {
      for await (const event of follow) {
        if (this.#follow !== follow) return; // what arrives after the connection was lost
        const change = event.kind === 'snapshot' ? event.view : event.change;
        const looks = await this.look(change.posts);
        if (this.#follow !== follow) return;
        this.#cursor = event.cursor;
        if (event.reset) this.reached.resets += 1;
        else if (isFirst && isResumed) this.reached.resumed += 1;
        isFirst = false;
        if (event.kind === 'change') {
          this.reached.changes += 1;
          this.reached.removals += change.removed.length;
          if (this.isLost(this.reached.changes)) continue;
        } else {
          this.#posts.clear();
          this.#snapshots += 1;
        }
        this.#apply(change, looks);
      }
    })();
  }

  async disconnect(): Promise<void> {
    const follow = this.#follow;
    this.#follow = null;
    await follow?.return();
  }

  /** Older pages, which somebody has scrolled to. */
  showOlder(posts: readonly PostDocument[], looks: readonly string[] = []): void {
    const older = posts.flatMap((post, at) => (this.#posts.has(post._id) ? [] : [{ post, look: looks[at] }]));
    for (const { post, look } of older) this.#show(post, look);
  }

  #apply({ posts, removed }: ListChange, looks: readonly string[]): void {
    for (const [at, post] of posts.entries()) this.#show(post, looks[at]);
    for (const id of removed) this.#posts.delete(id);
    this.removed.push(...removed);
  }

  #show(post: PostDocument, look = ''): void {
    this.#posts.set(post._id, post);
    this.#looks.set(post._id, look);
  }

  lookOf({ _id }: PostDocument): string {
    return this.#looks.get(_id) ?? '';
  }

  /** How many whole states it has been sent. */
  get snapshots(): number {
    return this.#snapshots;
  }

  get shown(): PostDocument[] {
    return [...this.#posts.values()].sort(byAge);
  }

  get newest(): PostDocument[] {
    return this.shown.slice(0, SHOWN_FIRST);
  }

  /** @param fits what is waited for, of the posts that it shows */
  until(what: string, fits: (shown: readonly PostDocument[]) => boolean): Promise<true> {
    return waitFor(what, WAIT_MS, async () => fits(this.shown) || null);
  }
}
