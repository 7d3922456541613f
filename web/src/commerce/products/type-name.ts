/** A product type or property name as words: `AUDIO_ALBUM` as "Audio album". */
export function nameOfType(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
