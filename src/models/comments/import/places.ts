/** Where the rows of an import belong: objects of any domain, by path or global id. */
import type { Db } from 'mongodb';
import { fromGlobalId } from '../../../shared/global-id.js';
import type { CommentHost } from '../../commentable.js';
import { type Subject, subjectOfDiscussion } from '../discussion/discussion.js';

/** Files are mostly ordered by object: the latest suffice. */
const REMEMBERED_MAX = 1000;

export class Places {
  readonly #known = new Map<string, Subject | null>();
  readonly #below: { readonly type: string; readonly id: string } | null;

  /** @param below the discussion of the object to which the file is imported, or null */
  constructor(
    private readonly db: Db,
    readonly hosts: readonly CommentHost[],
    private readonly below: string | null,
  ) {
    this.#below = below === null ? null : subjectOfDiscussion(below);
  }

  /** @param on as in a row */
  async find(on: string | undefined): Promise<Subject | null> {
    const key = on ?? '';
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await (on === undefined ? this.findOwn() : this.#look(on));
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= REMEMBERED_MAX) this.#known.delete(oldest);
    this.#known.set(key, found);
    return found;
  }

  /** The object to which the file is imported. */
  async findOwn(): Promise<Subject | null> {
    return this.below === null ? null : this.findDiscussed(this.below);
  }

  /** What a discussion is about. */
  async findDiscussed(discussion: string): Promise<Subject | null> {
    const { type, id } = subjectOfDiscussion(discussion);
    const found = await this.hosts.find((host) => host.type === type)?.find(this.db, [id]);
    return found?.get(id) ?? null;
  }

  async #look(on: string): Promise<Subject | null> {
    const { type, id } = fromGlobalId(on) ?? {};
    const host = id === undefined ? undefined : this.hosts.find((one) => one.type === type);
    if (host && id !== undefined) return (await host.find(this.db, [id])).get(id) ?? null;
    for (const one of this.hosts) {
      const isElsewhere = this.#below !== null && this.#below.type !== one.type;
      const found = isElsewhere ? null : await one.findByPath?.(this.db, this.#below?.id ?? null, on);
      if (found) return found;
    }
    return null;
  }
}
