import type { DocumentNode } from 'graphql';

/** A value that is computed once per operation of a document, and kept as long as the document. */
export class PerOperation<T> {
  readonly #byDocument = new WeakMap<DocumentNode, Map<string, T>>();

  get(document: DocumentNode, operationName: string | null | undefined, make: () => T): T {
    const byName = this.#byDocument.get(document) ?? new Map<string, T>();
    this.#byDocument.set(document, byName);
    const name = operationName ?? '';
    const known = byName.get(name);
    if (known !== undefined) return known;
    const made = make();
    byName.set(name, made);
    return made;
  }
}
