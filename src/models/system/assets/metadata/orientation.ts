/** Exif that says nothing but how to turn the picture: the only metadata that is kept, besides the color profile. */

const UPRIGHT = 1;

/** Whether the picture has to be turned to be displayed. @param orientation 1 to 8, as in Exif */
export const isTurned = (orientation: number | undefined): orientation is number =>
  orientation !== undefined && orientation > UPRIGHT;

/** A TIFF header, and a directory with one entry. */
export function orientationExif(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('II*\0', 0, 'latin1'); // little-endian
  exif.writeUInt32LE(8, 4); // where the directory starts
  exif.writeUInt16LE(1, 8); // entries
  exif.writeUInt16LE(0x0112, 10); // Orientation
  exif.writeUInt16LE(3, 12); // a 16-bit number
  exif.writeUInt32LE(1, 14); // one of them
  exif.writeUInt16LE(orientation, 18);
  return exif; // no further directory
}
