/**
 * The rows of an export: the comments of each object in the order of their numbers, in every state, so that an import gives them the same
 * numbers. What it has in memory does not grow with the export.
 */
import type { ClientSession, Db } from 'mongodb';
import { inSnapshot } from '../../../database/index.js';
import { toGlobalId } from '../../../shared/global-id.js';
import type { CommentHost, HostedSubject } from '../../commentable.js';
import { findUsersById } from '../../people/user.js';
import { type ExportLine, toLine } from '../../system/work/export-file.js';
import { designs } from '../designs/index.js';
import { type Comment, commentIdOf, comments, parentOf, rowIdOf } from '../discussion/comment.js';
import { findDiscussion, findDiscussions, subjectOfDiscussion } from '../discussion/discussion.js';

export interface ReaderPosition {
  /** The type of the object that is being written. */
  readonly type: string;
  /** Where its host is. */
  readonly object: object;
  /** The number of its comment that was written last. */
  readonly number: number;
}

const OBJECTS_AT_ONCE = 50;
const COMMENTS_AT_ONCE = 200;

export class CommentReader {
  #position: ReaderPosition | null;
  readonly #root: { readonly type: string; readonly id: string } | null;

  /** @param below the discussion of the object below which all is exported, or null for all @param from null: from the beginning */
  constructor(
    private readonly db: Db,
    private readonly hosts: readonly CommentHost[],
    below: string | null,
    from: ReaderPosition | null,
  ) {
    this.#position = from;
    this.#root = below === null ? null : subjectOfDiscussion(below);
  }

  /** After the line that was read last. */
  get position(): object {
    return this.#position ?? {};
  }

  async *lines(): AsyncGenerator<ExportLine, undefined> {
    const own = this.hosts.filter(({ type }) => !this.#root || type === this.#root.type);
    const begin = Math.max(
      0,
      own.findIndex(({ type }) => type === this.#position?.type),
    );
    for (const host of own.slice(begin)) yield* this.#linesOfHost(host);
  }

  async *#linesOfHost({ type, ...host }: CommentHost): AsyncGenerator<ExportLine> {
    const from = this.#position?.type === type ? this.#position : null;
    let batch: HostedSubject[] = [];
    for await (const hosted of host.walk(this.db, this.#root?.id ?? null, from?.object ?? null)) {
      batch.push(hosted);
      if (batch.length < OBJECTS_AT_ONCE) continue;
      yield* this.#linesOfBatch(type, batch, from);
      batch = [];
    }
    yield* this.#linesOfBatch(type, batch, from);
  }

  /** Most objects have no comments. */
  async *#linesOfBatch(
    type: string,
    batch: readonly HostedSubject[],
    from: ReaderPosition | null,
  ): AsyncGenerator<ExportLine> {
    const ids = batch.map(({ subject }) => subject.discussion);
    const begun = new Set((ids.length === 0 ? [] : await findDiscussions(this.db, ids)).map(({ _id }) => _id));
    for (const { subject, on, position } of batch.filter((one) => begun.has(one.subject.discussion))) {
      const isResumed = from !== null && JSON.stringify(from.object) === JSON.stringify(position);
      let number = isResumed ? from.number : 0;
      for (;;) {
        const rows = await this.#read(subject.discussion, number);
        for (const { row, number: next } of rows) {
          number = next;
          this.#position = { type, object: position, number };
          yield toLine({ ...(on !== null && { on }), ...row });
        }
        if (rows.length === 0) break;
      }
    }
  }

  /** The rows of the next comments of a discussion, as they are at one time. */
  async #read(id: string, after: number): Promise<readonly { readonly number: number; readonly row: object }[]> {
    const { value } = await inSnapshot(this.db, async (session) => {
      const discussion = await findDiscussion(this.db, id, session);
      const count = Math.min(COMMENTS_AT_ONCE, (discussion?.issued ?? 0) - after);
      if (!discussion || count <= 0) return { some: [], ids: new Map<number, string>() };
      const numbers = Array.from({ length: count }, (_, at) => after + 1 + at);
      const found = await designs[discussion.design].find(this.db, discussion, numbers, session);
      const some = found.map((comment): Comment => ({ ...comment, discussion: id }));
      return { some: some.toSorted((one, other) => one.number - other.number), ids: await this.#idsOf(some, session) };
    });
    const names = await this.#namesOf(value.some);
    return value.some.map((comment) => ({ number: comment.number, row: rowOf(comment, value.ids, names) }));
  }

  /** The ids of the rows of these comments and of those that they reply to, by number. */
  async #idsOf(some: readonly Comment[], session: ClientSession): Promise<ReadonlyMap<number, string>> {
    const known = new Map(some.map((comment) => [comment.number, comment]));
    const above = new Set(some.flatMap(({ path }) => parentOf(path) ?? []).filter((number) => !known.has(number)));
    const discussion = some[0]?.discussion ?? '';
    const found = await comments(this.db)
      .find(
        { _id: { $in: [...above].map((number) => commentIdOf(discussion, number)) } },
        { session, projection: { discussion: 1, number: 1, call: 1 } },
      )
      .toArray();
    return new Map([...some, ...found].map((one) => [one.number, idOfRow(one)]));
  }

  async #namesOf(some: readonly Comment[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Set(some.flatMap(({ author }) => author._id ?? []));
    const found = ids.size === 0 ? [] : await findUsersById(this.db, [...ids]);
    return new Map(found.map(({ _id, name }) => [_id, name]));
  }
}

/** The id with which it was imported, so that an export of an import has the same ids; or its own. */
const idOfRow = (comment: Pick<Comment, 'discussion' | 'number' | 'call'>): string =>
  rowIdOf(comment) ?? toGlobalId('Comment', commentIdOf(comment.discussion, comment.number));

/** As `import/comment-row.ts` reads it. */
function rowOf(comment: Comment, ids: ReadonlyMap<number, string>, names: ReadonlyMap<string, string>): object {
  const { number, path, author, posted, edited, text, state } = comment;
  const parent = parentOf(path);
  const present = author._id === undefined ? undefined : names.get(author._id);
  const name = present ?? author.name;
  return {
    id: ids.get(number),
    ...(parent !== null && { replyTo: ids.get(parent) }),
    ...(name !== '' && { author: name }),
    ...(present !== undefined && { authorId: toGlobalId('User', author._id ?? '') }),
    postedAt: posted,
    ...(edited && { editedAt: edited }),
    ...(text !== null && { text }),
    ...(state !== 'PUBLISHED' && { state }),
  };
}
