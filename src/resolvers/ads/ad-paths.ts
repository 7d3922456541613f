/** The paths of this server that pages with ads use. */
export const framePath = (receipt: string): string => `/ads/frame/${receipt}`;
export const seenPath = (receipt: string): string => `/ads/seen/${receipt}`;
export const clickPath = (receipt: string): string => `/ads/click/${receipt}`;
