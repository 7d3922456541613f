/** Drawn pictures of what a navigator works with: a chart, a compass rose, a curve of the tide, and rope. */
import { boxAround, Canvas, type Color, clamp, color, mix, type Point, ring } from './canvas.js';
import { hills, makeRandom } from './chance.js';

const DEPTHS: readonly (readonly [below: number, color: Color])[] = [
  [0.3, color('#7fb3cf')],
  [0.38, color('#97c4d9')],
  [0.45, color('#b3d7e3')],
  [0.51, color('#cfe8ec')],
  [0.55, color('#e3f2ee')],
  [0.62, color('#e9dcae')],
  [0.7, color('#dfca92')],
  [1, color('#cdb478')],
];

export function chart(): Canvas {
  const canvas = new Canvas(960, 640);
  const heightAt = (x: number, y: number) => {
    const island = 0.2 * Math.exp(-(((x - 1.02) / 0.2) ** 2 + ((y - 0.56) / 0.16) ** 2));
    return hills(x * 2.6, y * 2.6, 14, 5) * 0.8 + island + (0.5 - x / 1.5) * 0.42 + 0.02;
  };
  const known = rememberedAt(canvas, heightAt);
  canvas.paint(
    (x, y) => shadeOf(known(x, y)),
    () => 1,
    1,
    canvas.band(0, 1),
  );
  contours(canvas, known);
  for (let column = 1; column < 6; column += 1)
    canvas.line(color('#4d6a77'), [column * 0.25, 0], [column * 0.25, 1], 0.0012, 0.35);
  for (let row = 1; row < 4; row += 1) canvas.line(color('#4d6a77'), [0, row * 0.25], [1.5, row * 0.25], 0.0012, 0.35);
  const course: readonly Point[] = [
    [0.6, 0.9],
    [0.72, 0.62],
    [0.86, 0.35],
    [1.2, 0.26],
    [1.42, 0.1],
  ];
  for (const [index, to] of course.entries()) {
    const from = course[index - 1];
    if (from) dashes(canvas, from, to);
    canvas.disc(color('#b01f52'), to, 0.012);
    canvas.disc(color('#ffffff'), to, 0.006);
  }
  rose(canvas, [1.3, 0.8], 0.11, { ink: color('#7b2a5a'), pale: color('#f1dfea') });
  frame(canvas);
  return canvas;
}

/** The values at the pixels, each computed once. */
function rememberedAt({ unit, width, height }: Canvas, value: (x: number, y: number) => number): typeof value {
  const columns = width + 1; // the slopes also need the next pixel
  const values = Float64Array.from({ length: columns * (height + 1) }, (_, at) =>
    value(((at % columns) + 0.5) * unit, (Math.floor(at / columns) + 0.5) * unit),
  );
  return (x, y) => values[Math.floor(y / unit) * columns + Math.floor(x / unit)] ?? 0;
}

const shadeOf = (height: number): Color =>
  (DEPTHS.find(([below]) => height < below) ?? DEPTHS[DEPTHS.length - 1])?.[1] ?? [0, 0, 0];

/** Lines of equal depth, of the same thickness however steep the ground is. */
function contours(canvas: Canvas, heightAt: (x: number, y: number) => number): void {
  const { unit } = canvas;
  const coast = 0.55;
  const shape = (x: number, y: number) => {
    const height = heightAt(x, y);
    const nearest = DEPTHS.reduce(
      (best, [level]) => (Math.abs(level - height) < Math.abs(best - height) ? level : best),
      1,
    );
    const slope = Math.hypot(heightAt(x + unit, y) - height, heightAt(x, y + unit) - height);
    return (
      clamp((nearest === coast ? 1.4 : 0.75) - Math.abs(height - nearest) / (slope || 1)) *
      (nearest === coast ? 1 : 0.55)
    );
  };
  canvas.cover(color('#3c5f6e'), shape);
}

function dashes(canvas: Canvas, [ax, ay]: Point, [bx, by]: Point): void {
  const count = Math.round(Math.hypot(bx - ax, by - ay) / 0.028);
  for (let dash = 0; dash < count; dash += 1) {
    const at = (share: number): Point => [ax + (bx - ax) * share, ay + (by - ay) * share];
    canvas.line(color('#b01f52'), at((dash + 0.15) / count), at((dash + 0.75) / count), 0.004);
  }
}

function frame(canvas: Canvas): void {
  const [ink, inset] = [color('#2f4550'), 0.02];
  const corners: readonly Point[] = [
    [inset, inset],
    [1.5 - inset, inset],
    [1.5 - inset, 1 - inset],
    [inset, 1 - inset],
    [inset, inset],
  ];
  canvas.path(ink, corners, 0.003);
  for (let mark = 0; mark < 29; mark += 1) {
    const x = inset + mark * 0.0503;
    if (mark % 2 === 0)
      for (const y of [inset + 0.006, 1 - inset - 0.006]) canvas.line(ink, [x, y], [x + 0.0503, y], 0.008);
  }
}

interface Inks {
  readonly ink: Color;
  readonly pale: Color;
}

/** Sixteen points; the half of each that is away from the light is dark. */
function rose(canvas: Canvas, [cx, cy]: Point, radius: number, { ink, pale }: Inks): void {
  const at = (angle: number, distance: number): Point => [
    cx + Math.sin(angle) * distance,
    cy - Math.cos(angle) * distance,
  ];
  const box = boxAround([[cx, cy]], radius * 1.4);
  for (const [share, thickness] of [
    [1.12, 0.02],
    [1.02, 0.01],
    [0.62, 0.012],
  ] as const)
    canvas.cover(ink, ring(canvas.unit, [cx, cy], radius * share, radius * thickness), 1, box);
  for (let mark = 0; mark < 72; mark += 1) {
    const length = mark % 18 === 0 ? 0.1 : mark % 2 === 0 ? 0.065 : 0.035;
    canvas.line(
      ink,
      at((mark * Math.PI) / 36, radius * 1.12),
      at((mark * Math.PI) / 36, radius * (1.12 - length)),
      radius * 0.009,
    );
  }
  for (const [step, reach, width] of [
    [2, 0.6, 0.075],
    [1, 0.78, 0.1],
    [0, 0.98, 0.135],
  ] as const)
    for (let point = 0; point < 8; point += 1) {
      if (step > 0 ? point >= (step === 2 ? 8 : 4) : point >= 4) continue;
      const angle = step === 2 ? ((2 * point + 1) * Math.PI) / 8 : (point * Math.PI) / 2 + (step * Math.PI) / 4;
      const side = Math.PI / (step === 2 ? 8 : 4);
      const tip = at(angle, radius * reach);
      canvas.polygon(ink, [tip, at(angle + side, radius * width), [cx, cy]]);
      canvas.polygon(pale, [tip, [cx, cy], at(angle - side, radius * width)]);
      canvas.path(ink, [at(angle - side, radius * width), tip, at(angle + side, radius * width)], radius * 0.008);
    }
  canvas.disc(ink, [cx, cy], radius * 0.05);
  canvas.disc(pale, [cx, cy], radius * 0.025);
}

export function compassRose(): Canvas {
  const canvas = new Canvas(800, 800);
  canvas.gradient([0, color('#f3e6c8')], [1, color('#e6d1a4')]);
  const stains = (x: number, y: number) => Math.max(0, hills(x * 4, y * 4, 6, 3) - 0.5) * 1.5;
  canvas.cover(color('#a9854b'), stains, 0.5);
  for (let line = 0; line < 16; line += 1) {
    const angle = (line * Math.PI) / 8;
    const to: Point = [0.5 + Math.sin(angle), 0.5 - Math.cos(angle)];
    canvas.line(color(line % 2 === 0 ? '#8d3b2e' : '#5b7a62'), [0.5, 0.5], to, 0.0013, 0.55);
  }
  rose(canvas, [0.5, 0.5], 0.36, { ink: color('#23394d'), pale: color('#f7edd6') });
  const red = color('#a3372b');
  canvas.polygon(red, [
    [0.5, 0.035],
    [0.522, 0.085],
    [0.5, 0.075],
  ]);
  canvas.polygon(red, [
    [0.5, 0.035],
    [0.5, 0.075],
    [0.478, 0.085],
  ]);
  return canvas;
}

export function tideCurve(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient([0, color('#0d2a33')], [1, color('#123e48')]);
  for (let row = 1; row < 10; row += 1)
    canvas.line(color('#7fb8b5'), [0.06, row * 0.1], [1.44, row * 0.1], 0.001, 0.28);
  const DAYS = 15;
  const xOf = (day: number) => 0.06 + (day / DAYS) * 1.38;
  for (let day = 0; day <= DAYS; day += 1)
    canvas.line(color('#7fb8b5'), [xOf(day), 0.2], [xOf(day), 0.94], 0.001, 0.28);
  const levelAt = (x: number) => {
    const hours = ((x - 0.06) / 1.38) * DAYS * 24;
    const moon = Math.cos((hours / 12.4206) * 2 * Math.PI);
    const sun = Math.cos((hours / 12) * 2 * Math.PI);
    return 0.6 - 0.185 * moon - 0.085 * sun;
  };
  const inside = (x: number) => x >= 0.06 && x <= 1.44;
  canvas.paint(
    (_x, y) => mix(color('#58c4b9'), color('#1b5a66'), clamp((y - 0.3) / 0.6)),
    (x, y) => (inside(x) ? clamp((y - levelAt(x)) / canvas.unit + 0.5) : 0),
    0.78,
    { left: 0.06, top: 0.3, right: 1.44, bottom: 0.94 },
  );
  const points = Array.from(
    { length: 1101 },
    (_, step): Point => [0.06 + (step / 1100) * 1.38, levelAt(0.06 + (step / 1100) * 1.38)],
  );
  canvas.path(color('#d8fff4'), points, 0.0045);
  canvas.line(color('#ffb86b'), [0.06, 0.6], [1.44, 0.6], 0.002, 0.8);
  for (let moon = 0; moon < 5; moon += 1) phase(canvas, [xOf(moon * 3.69), 0.115], 0.042, moon / 4);
  return canvas;
}

/** @param age 0 at new moon, 1 at full moon */
function phase(canvas: Canvas, [cx, cy]: Point, radius: number, age: number): void {
  canvas.glow(color('#fdf3cf'), [cx, cy], radius * 1.7, 0.1 + age * 0.3);
  canvas.disc(color('#20505a'), [cx, cy], radius);
  const lit = (x: number, y: number) => {
    const inMoon = clamp((radius - Math.hypot(x - cx, y - cy)) / canvas.unit + 0.5);
    const half = Math.sqrt(Math.max(0, radius ** 2 - (y - cy) ** 2));
    return inMoon * clamp((x - cx - half * (1 - 2 * age)) / canvas.unit + 0.5);
  };
  canvas.cover(color('#fdf3cf'), lit, 1, boxAround([[cx, cy]], radius + canvas.unit));
}

export function rope(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient([0, color('#27434f')], [1, color('#16303a')]);
  for (let plank = 0; plank < 6; plank += 1) {
    const [top, bottom] = [plank / 6, (plank + 1) / 6];
    const grain = (x: number, y: number) => hills(x * 2 + plank * 5, y * 60, plank + 2, 3) * 0.5;
    canvas.cover(color(plank % 2 ? '#35606b' : '#2b515d'), grain, 0.8, canvas.band(top, bottom));
    canvas.line(color('#0c1d24'), [0, top], [1.5, top], 0.004, 0.8);
  }
  const STEPS = 560;
  const spots = Array.from({ length: STEPS }, (_, step) => {
    const turn = (step / STEPS) * Math.PI * 2;
    const reach = (2 + Math.cos(2 * turn)) * 0.142;
    const at: Point = [0.75 + reach * Math.cos(3 * turn) * 1.3, 0.5 + reach * Math.sin(3 * turn)];
    return { at, turn, height: Math.sin(4 * turn) };
  });
  const ordered = spots.map((spot, index) => ({ ...spot, next: spots[(index + 1) % STEPS]?.at ?? spot.at }));
  for (const { at } of ordered) canvas.disc(color('#05090b'), [at[0] + 0.012, at[1] + 0.018], 0.047, 0.055);
  for (const { at, next, turn } of ordered.toSorted((one, other) => one.height - other.height))
    strand(canvas, at, next, turn);
  return canvas;
}

/** A short piece of rope: round, and twisted from three strands. */
function strand(canvas: Canvas, [ax, ay]: Point, [bx, by]: Point, turn: number): void {
  const radius = 0.04;
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const across = (x: number, y: number) => ((x - ax) * -uy + (y - ay) * ux) / radius;
  const along = (x: number, y: number) => (x - ax) * ux + (y - ay) * uy;
  const shape = (x: number, y: number) => {
    const forward = along(x, y);
    const inPiece = clamp((length / 2 + 0.003 - Math.abs(forward - length / 2)) / canvas.unit + 0.5);
    return inPiece * clamp(((1 - Math.abs(across(x, y))) * radius) / canvas.unit + 0.5);
  };
  const shadeAt = (x: number, y: number): Color => {
    const side = clamp((across(x, y) + 1) / 2) * 2 - 1;
    const twist = turn * 62 + (along(x, y) / radius) * 1.6 + Math.asin(side) * 1.5;
    const round = Math.sqrt(Math.max(0, 1 - side * side));
    const light = 0.28 + 0.55 * round + 0.17 * Math.abs(Math.sin(twist)) ** 0.6 - 0.16 * side;
    return mix(color('#3b2412'), color('#f4dcae'), clamp(light));
  };
  canvas.paint(
    shadeAt,
    shape,
    1,
    boxAround(
      [
        [ax, ay],
        [bx, by],
      ],
      radius + 0.01,
    ),
  );
}

/** The night sky from a deck: the Big Dipper points at the pole star. */
export function dipper(): Canvas {
  const canvas = new Canvas(960, 640);
  canvas.gradient([0, color('#0b1026')], [0.7, color('#1f2f5e')], [1, color('#40548a')]);
  const band = (x: number, y: number) => {
    const off = (y - 0.95 + x * 0.55) / 0.16;
    return Math.exp(-(off ** 2)) * hills(x * 5, y * 5, 77, 5);
  };
  canvas.cover(color('#9fb0e0'), band, 0.34);
  const random = makeRandom(19);
  for (let star = 0; star < 420; star += 1) {
    const at: Point = [random() * 1.5, random()];
    canvas.disc(color(star % 5 ? '#e6edff' : '#ffe8c9'), at, 0.0006 + random() ** 5 * 0.0028, 0.35 + random() * 0.5);
  }
  const stars: readonly Point[] = [
    [0.4, 0.66],
    [0.53, 0.63],
    [0.62, 0.67],
    [0.75, 0.71],
    [0.79, 0.83],
    [0.97, 0.8],
    [0.98, 0.68],
  ];
  const pole: Point = [1.03, 0.08]; // five times as far from the bowl as its last two stars from each other
  canvas.path(color('#9db7ff'), [...stars, stars[3] ?? pole], 0.002, 0.75);
  for (let dash = 0; dash < 19; dash += 1) {
    const at = (share: number): Point => [0.98 + (pole[0] - 0.98) * share, 0.68 + (pole[1] - 0.68) * share];
    canvas.line(color('#ffd58a'), at((dash + 0.4) / 19), at((dash + 0.8) / 19), 0.0025, 0.9);
  }
  for (const star of [...stars, pole]) {
    canvas.glow(color('#dbe6ff'), star, 0.022, 0.7);
    canvas.disc(color('#ffffff'), star, 0.0062);
  }
  return canvas;
}
