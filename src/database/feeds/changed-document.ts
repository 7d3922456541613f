/** Applies a change stream event to a document, for feeds whose state is a document. */
import type { Document } from 'mongodb';
import type { ChangeEvent } from '../collections/feed.js';

/**
 * The document after the event. The input is not modified, since it may have been sent. What the event does not touch is shared with it:
 * copying all of a large document for one changed field would take most of the time of a message.
 */
export function changedDocument<T extends object>(document: T, event: ChangeEvent): T {
  if (event.document) return event.document as T;
  const changed = new ChangedCopy(document);
  for (const { field, newSize } of event.truncated ?? []) {
    const { parent, name } = changed.placeOf(field);
    if (Array.isArray(parent[name])) parent[name] = parent[name].slice(0, newSize);
  }
  for (const [path, value] of Object.entries(event.updated ?? {})) {
    const { parent, name } = changed.placeOf(path);
    parent[name] = value;
  }
  for (const path of event.removed ?? []) {
    const { parent, name } = changed.placeOf(path);
    delete parent[name];
  }
  return changed.root as T;
}

/** The first part of the path of each field that an update changes. */
export const changedFields = ({ updated = {}, removed = [], truncated = [] }: ChangeEvent): string[] =>
  [...Object.keys(updated), ...removed, ...truncated.map(({ field }) => field)].map(
    (path) => path.split('.', 1)[0] ?? '',
  );

/** A copy of a document, of which only those objects and arrays are copied that something is changed in. */
class ChangedCopy {
  readonly root: Document;
  readonly #copied = new Set<Document>();

  constructor(document: object) {
    this.root = this.#copy(document);
  }

  /** Where a path leads. Array items are addressed by index. */
  placeOf(path: string): { parent: Document; name: string } {
    const names = path.split('.');
    const name = names.pop() ?? '';
    let parent = this.root;
    for (const step of names) {
      const inner: Document = parent[step] ?? {};
      parent[step] = this.#copied.has(inner) ? inner : this.#copy(inner);
      parent = parent[step];
    }
    return { parent, name };
  }

  #copy(value: Document): Document {
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#copied.add(copy);
    return copy;
  }
}
