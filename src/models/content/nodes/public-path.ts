/** Where the public site shows a node. */

/**
 * A root with the slug `blog`, and what is below it, is at its own path. Everything else is below `/blog/~`. No slug starts with `~`
 * outside the trash, so the two never collide.
 * @param path of the node, for example `/blog/hello` or `/about`
 */
export const publicPathOf = (path: string): string =>
  path === '/blog' || path.startsWith('/blog/') ? path : `/blog/~${path}`;
