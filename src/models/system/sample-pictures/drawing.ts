/** The drawn pictures by their names, as files. They are drawn from raw pixels, because the server decodes no SVG. */
import sharp from 'sharp';
import type { Canvas } from './canvas.js';
import { echo, india, juliett, kilo, lima, mike, oscar, tango } from './flags.js';
import { chart, compassRose, dipper, rope, tideCurve } from './instruments.js';
import { dusk, fog, lighthouse, starTrails } from './sea.js';

const drawings = {
  dusk,
  lighthouse,
  'star-trails': starTrails,
  fog,
  chart,
  'compass-rose': compassRose,
  'tide-curve': tideCurve,
  rope,
  dipper,
  echo,
  india,
  juliett,
  kilo,
  lima,
  mike,
  oscar,
  tango,
} as const satisfies Record<string, () => Canvas>;

export type DrawingName = keyof typeof drawings;

const WEBP_QUALITY = 82;

/** @returns WebP */
export function drawPicture(name: DrawingName): Promise<Buffer> {
  const canvas = drawings[name]();
  const { width, height } = canvas;
  return sharp(canvas.toBytes(), { raw: { width, height, channels: 3 } })
    .webp({ quality: WEBP_QUALITY })
    .toBuffer();
}
