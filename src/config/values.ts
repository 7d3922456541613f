/** How the values of settings are read from text. */
import { z } from 'zod';

export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1');

export const whole = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const bounded = z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
  return z.preprocess(fromDigits, bounded).default(fallback);
};

/** Only digits count as a number: blanks would become 0, and 1e3 or 0x10 may be a mistake. */
const fromDigits = (text: unknown) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text);

/** Comma-separated. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
