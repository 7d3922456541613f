/** Applies a change stream event to a document, for feeds whose state is a document. */
import type { Document } from 'mongodb';
import type { ChangeEvent } from '../collections/feed.js';

/** The document after the event. The input is not modified, since it may have been sent. */
export function changedDocument<T extends object>(document: T, event: ChangeEvent): T {
  if (event.document) return event.document as T;
  const copy = structuredClone(document) as Document;
  for (const { field, newSize } of event.truncated ?? []) {
    const { parent, name } = placeOf(copy, field);
    if (Array.isArray(parent[name])) parent[name].length = newSize;
  }
  for (const [path, value] of Object.entries(event.updated ?? {})) {
    const { parent, name } = placeOf(copy, path);
    parent[name] = value;
  }
  for (const path of event.removed ?? []) {
    const { parent, name } = placeOf(copy, path);
    delete parent[name];
  }
  return copy as T;
}

/** Array items are addressed by index. */
function placeOf(root: Document, path: string): { parent: Document; name: string } {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let parent = root;
  for (const step of names) {
    parent[step] ??= {};
    parent = parent[step];
  }
  return { parent, name };
}
