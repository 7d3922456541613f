/** Which assets a domain uses, asked one by one. */

/** One read for each id: of a picture that thousands of documents show, one is enough. @param isUsed null: it is not */
export async function filterUsed(ids: readonly string[], isUsed: (id: string) => Promise<unknown>): Promise<string[]> {
  const found = await Promise.all(ids.map(isUsed));
  return ids.filter((_id, index) => found[index] !== null);
}
