/** The formats and sizes of pictures. */

/** Those that an upload may have, by their content type. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** The widths to which a picture is scaled down, in pixels. */
export const scaledWidths = [320, 640, 1280, 2560] as const;
export type ScaledWidth = (typeof scaledWidths)[number];

export const isScaledWidth = (width: number): width is ScaledWidth => scaledWidths.some((each) => each === width);
