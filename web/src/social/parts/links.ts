/** Addresses of the network's pages. */
export const wallOf = (id: string): string => `/social/wall?of=${encodeURIComponent(id)}`;
export const addressOf = (id: string): string => `/social/post?id=${encodeURIComponent(id)}`;
