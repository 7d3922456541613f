/** Addresses of the network's pages. */
export const wallOf = (id: string): string => `/social/wall/${encodeURIComponent(id)}`;
export const addressOf = (id: string): string => `/social/post/${encodeURIComponent(id)}`;
