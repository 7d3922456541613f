/** Global ids (Relay): opaque text that holds the SDL type and the stored id, so that `node(id:)` finds any object. */

/** @returns URL-safe text */
export function toGlobalId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`, 'utf8').toString('base64url');
}

/** @returns null when the text is not a global id */
export function fromGlobalId(globalId: string): { type: string; id: string } | null {
  const match = /^([A-Za-z]+):(.+)$/s.exec(Buffer.from(globalId, 'base64url').toString('utf8'));
  const [, type, id] = match ?? [];
  // Only the exact text that toGlobalId returns is accepted, so that no two ids name the same object.
  return type && id && toGlobalId(type, id) === globalId ? { type, id } : null;
}

/** @returns the stored id, or null when the global id is of another type or damaged */
export function idOfType(type: string, globalId: string): string | null {
  const parts = fromGlobalId(globalId);
  return parts?.type === type ? parts.id : null;
}
