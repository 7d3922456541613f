/** Drawn pictures of the sea and the sky. */
import { Canvas, color, mix, type Point } from './canvas.js';
import { hills, makeRandom } from './chance.js';

export function dusk(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient(
    [0, color('#27275c')],
    [0.26, color('#6d4a86')],
    [0.44, color('#d9756c')],
    [0.56, color('#f8b46b')],
    [0.6, color('#fde0a2')],
  );
  const sun: Point = [0.98, 0.52];
  canvas.glow(color('#ffe2a0'), sun, 0.3, 0.55);
  canvas.glow(color('#fff3cf'), sun, 0.12, 0.7);
  canvas.disc(color('#fff8e1'), sun, 0.062);
  for (let cloud = 0; cloud < 5; cloud += 1) {
    const y = 0.13 + cloud * 0.075;
    const shape = (x: number, at: number) =>
      Math.max(0, hills(x * 2.2 + cloud * 7, at * 16, 3) - 0.52) * 3.4 * Math.exp(-(((at - y) / 0.03) ** 2));
    canvas.cover(color(cloud > 2 ? '#ffd9a0' : '#e58f86'), shape, 0.8, canvas.band(y - 0.07, y + 0.07));
  }
  const waves = (layer: number) => (x: number) => {
    const depth = layer / 8;
    const height = 0.003 + depth * 0.016;
    return 0.6 + depth ** 1.5 * 0.36 + height * Math.sin(x * (34 - 22 * depth) + layer * 2.1 + Math.sin(x * 5 + layer));
  };
  for (let layer = 0; layer < 9; layer += 1) {
    canvas.below(mix(color('#e59a72'), color('#1c2350'), Math.min(1, layer / 6.5)), waves(layer));
    if (layer === 2) boat(canvas, [0.44, 0.655]);
  }
  const random = makeRandom(11);
  for (let glint = 0; glint < 210; glint += 1) {
    const y = 0.605 + random() ** 1.4 * 0.36;
    const spread = 0.03 + (y - 0.6) * 0.42;
    const x = sun[0] + (random() + random() - 1) * spread;
    const half = 0.006 + (y - 0.6) * 0.05 * random();
    canvas.line(color('#ffdf9c'), [x - half, y], [x + half, y], 0.0025 + (y - 0.6) * 0.006, 0.62);
  }
  return canvas;
}

function boat(canvas: Canvas, [x, y]: Point): void {
  const [dark, sail] = [color('#2b2147'), color('#f9dfbd')];
  canvas.polygon(color('#f3c6a0'), [
    [x - 0.006, y - 0.165],
    [x - 0.006, y - 0.025],
    [x - 0.082, y - 0.02],
  ]);
  canvas.polygon(sail, [
    [x + 0.006, y - 0.19],
    [x + 0.1, y - 0.028],
    [x + 0.006, y - 0.028],
  ]);
  canvas.line(dark, [x, y - 0.2], [x, y], 0.006);
  canvas.polygon(dark, [
    [x - 0.1, y - 0.012],
    [x + 0.11, y - 0.016],
    [x + 0.075, y + 0.02],
    [x - 0.075, y + 0.02],
  ]);
}

export function lighthouse(): Canvas {
  const canvas = new Canvas(640, 960);
  canvas.gradient([0, color('#060b20')], [0.45, color('#14275a')], [0.72, color('#35568c')], [0.76, color('#5f7fa8')]);
  const random = makeRandom(5);
  for (let star = 0; star < 170; star += 1) {
    const at: Point = [random() * canvas.right, random() ** 1.3 * 0.66];
    canvas.disc(color('#dfe9ff'), at, 0.0007 + random() ** 4 * 0.0022, 0.5 + random() * 0.5);
  }
  const lamp: Point = [0.44, 0.286];
  const beam = (angle: number) => (x: number, y: number) => {
    const [dx, dy] = [x - lamp[0], y - lamp[1]];
    const off = Math.abs(Math.atan2(dy, dx) - angle);
    return Math.max(0, 1 - (Math.min(off, 2 * Math.PI - off) / 0.13) ** 2) * Math.exp(-Math.hypot(dx, dy) * 2.3);
  };
  canvas.cover(color('#fff2c2'), beam(Math.PI - 0.2), 0.75, canvas.band(0.18, 0.56));
  canvas.cover(color('#fff2c2'), beam(-0.2), 0.75, canvas.band(0.1, 0.38));
  for (let layer = 0; layer < 6; layer += 1)
    canvas.below(
      mix(color('#456a96'), color('#0d1a38'), layer / 5),
      (x) => 0.755 + layer * 0.036 + (0.002 + layer * 0.0016) * Math.sin(x * (60 - layer * 7) + layer * 2),
    );
  canvas.below(color('#101528'), (x) => 0.93 - 0.26 * Math.exp(-(((x - 0.5) / 0.23) ** 2)) - 0.07 * hills(x * 9, 1, 8));
  tower(canvas, lamp);
  canvas.below(
    color('#0a0e1d'),
    (x) => 0.985 - 0.16 * Math.exp(-(((x - 0.6) / 0.2) ** 2)) - 0.08 * hills(x * 12, 2, 21),
  );
  return canvas;
}

function tower(canvas: Canvas, [x, y]: Point): void {
  const [top, bottom] = [y + 0.03, 0.77];
  const halfAt = (at: number) => 0.036 + ((at - top) / (bottom - top)) * 0.034;
  const BANDS = 7;
  for (let band = 0; band < BANDS; band += 1) {
    const [from, to] = [top + ((bottom - top) * band) / BANDS, top + ((bottom - top) * (band + 1)) / BANDS];
    const side = (share: number, at: number): Point => [x + halfAt(at) * share, at];
    const shade = color(band % 2 === 0 ? '#e9e6de' : '#c4473e');
    canvas.polygon(shade, [side(-1, from), side(1, from), side(1, to + 0.001), side(-1, to + 0.001)]);
    canvas.polygon(
      color('#1a2140'),
      [side(0.25, from), side(1, from), side(1, to + 0.001), side(0.25, to + 0.001)],
      0.3,
    );
  }
  for (const at of [0.42, 0.55, 0.68]) canvas.disc(color('#ffd873'), [x - 0.012, at], 0.0085);
  canvas.polygon(color('#20263f'), [
    [x - 0.052, top - 0.006],
    [x + 0.052, top - 0.006],
    [x + 0.045, top + 0.008],
    [x - 0.045, top + 0.008],
  ]);
  canvas.glow(color('#fff0b8'), [x, y], 0.09, 0.85);
  canvas.polygon(color('#fff7db'), [
    [x - 0.024, y - 0.022],
    [x + 0.024, y - 0.022],
    [x + 0.024, top - 0.006],
    [x - 0.024, top - 0.006],
  ]);
  for (const bar of [-0.024, 0, 0.024])
    canvas.line(color('#20263f'), [x + bar, y - 0.022], [x + bar, top - 0.006], 0.004);
  canvas.polygon(color('#b23c35'), [
    [x, y - 0.062],
    [x + 0.034, y - 0.02],
    [x - 0.034, y - 0.02],
  ]);
}

export function starTrails(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient([0, color('#050a1c')], [0.5, color('#0f2145')], [0.8, color('#2b4a73')], [0.9, color('#6b7f95')]);
  const pole: Point = [0.62, 0.36];
  const random = makeRandom(3);
  const tints = ['#f5f7ff', '#cfe0ff', '#ffe9c4', '#b9d2ff', '#ffd6b8'].map(color);
  for (let star = 0; star < 270; star += 1) {
    const [radius, begin, light] = [
      0.012 + random() ** 0.7 * 1.05,
      random() * Math.PI * 2,
      0.25 + random() ** 2 * 0.75,
    ];
    const tint = tints[star % tints.length] ?? tints[0];
    const steps = Math.ceil(4 + radius * 26);
    const points = Array.from({ length: steps + 1 }, (_, step): Point => {
      const angle = begin + (step / steps) * 0.95;
      return [pole[0] + radius * Math.cos(angle), pole[1] + radius * Math.sin(angle)];
    });
    if (tint) canvas.path(tint, points, 0.0016 + random() ** 5 * 0.003, light);
  }
  canvas.disc(color('#ffffff'), pole, 0.004);
  canvas.below(color('#16263f'), (x) => 0.86 - 0.1 * hills(x * 3, 4, 9));
  canvas.below(color('#060c18'), (x) => 0.95 - 0.13 * hills(x * 2.4, 9, 17, 5));
  for (let tree = 0; tree < 46; tree += 1)
    pine(canvas, [random() * 1.5, 0.93 + random() * 0.05], 0.05 + random() * 0.09);
  return canvas;
}

function pine(canvas: Canvas, [x, y]: Point, height: number): void {
  for (let layer = 0; layer < 4; layer += 1) {
    const [top, bottom] = [y - height + (layer * height) / 5, y - height + ((layer + 2) * height) / 5];
    const half = height * (0.07 + layer * 0.045);
    canvas.polygon(color('#04080f'), [
      [x, top],
      [x + half, bottom],
      [x - half, bottom],
    ]);
  }
}

export function fog(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient([0, color('#f4e9dc')], [0.4, color('#dfe3df')], [0.62, color('#b9cfd0')], [1, color('#7fa4a8')]);
  canvas.glow(color('#fff4d6'), [0.42, 0.24], 0.24, 0.9);
  canvas.disc(color('#fffbf0'), [0.42, 0.24], 0.05, 0.9);
  for (let ridge = 0; ridge < 5; ridge += 1) {
    const shade = mix(color('#c3d2d2'), color('#2f5560'), ridge / 4.4);
    const reach = 0.2 - ridge * 0.012;
    const base = 0.47 + ridge * 0.05;
    canvas.below(shade, (x) => base + 0.06 - reach * hills(x * (1.7 + ridge * 0.5) + ridge * 3, ridge, 31, 5), 0.92);
    canvas.cover(
      color('#e6ecea'),
      (_x, y) => Math.exp(-(((y - base - 0.085) / 0.045) ** 2)),
      0.7,
      canvas.band(base - 0.03, base + 0.2),
    );
  }
  canvas.below(color('#8fb3b6'), () => 0.735);
  canvas.cover(color('#dfe9e8'), (_x, y) => Math.max(0, 1 - (y - 0.735) / 0.12), 0.85, canvas.band(0.735, 0.86));
  const random = makeRandom(8);
  for (let ripple = 0; ripple < 130; ripple += 1) {
    const y = 0.76 + random() ** 1.2 * 0.24;
    const [x, half] = [random() * 1.5, (0.01 + random() * 0.05) * (y - 0.68) * 5];
    canvas.line(
      color(ripple % 3 ? '#a9c6c8' : '#5d878d'),
      [x - half, y],
      [x + half, y],
      0.0012 + (y - 0.75) * 0.008,
      0.5,
    );
  }
  rowboat(canvas, [0.98, 0.83]);
  return canvas;
}

function rowboat(canvas: Canvas, [x, y]: Point): void {
  const dark = color('#1d3138');
  canvas.polygon(
    dark,
    [
      [x - 0.015, y + 0.034],
      [x + 0.1, y + 0.034],
      [x + 0.05, y + 0.1],
      [x, y + 0.1],
    ],
    0.22,
  );
  canvas.polygon(dark, [
    [x - 0.11, y - 0.012],
    [x + 0.11, y - 0.012],
    [x + 0.078, y + 0.032],
    [x - 0.075, y + 0.032],
  ]);
  canvas.line(color('#e2b45f'), [x - 0.108, y - 0.008], [x + 0.108, y - 0.008], 0.006);
  canvas.polygon(color('#c4552f'), [
    [x - 0.014, y - 0.075],
    [x + 0.016, y - 0.075],
    [x + 0.03, y - 0.008],
    [x - 0.026, y - 0.008],
  ]);
  canvas.disc(color('#26393f'), [x + 0.001, y - 0.09], 0.017);
  canvas.line(color('#3d2f22'), [x - 0.17, y + 0.045], [x + 0.04, y - 0.045], 0.005);
  canvas.line(color('#3d2f22'), [x + 0.19, y + 0.045], [x + 0.01, y - 0.04], 0.005);
}
