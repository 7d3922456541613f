/** The addresses of this server that pages with ads use. */
export const SCRIPT_PATH = '/ads.js';
export const DECIDE_PATH = '/ads/decide';
export const FORGET_PATH = '/ads/forget';
export const FRAME_PATH = '/ads/frame';
export const UNIT_PATH = '/ads/unit';
export const SEEN_PATH = '/ads/seen';
export const CLICK_PATH = '/ads/click';
export const CONVERSION_PATH = '/ads/conversion';

/** @param publicUrl where browsers reach this server @param receipt has no characters that are special in addresses */
export const adUrl = (publicUrl: string, path: string, receipt: string): string =>
  `${publicUrl.replace(/\/+$/, '')}${path}?receipt=${receipt}`;
