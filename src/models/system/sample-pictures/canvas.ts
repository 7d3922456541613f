/**
 * A small canvas for the drawn pictures of the sample data. The y axis runs from 0 at the top to 1, the x axis from 0 to the width over
 * the height. Shapes are functions that say how much of a pixel they cover.
 */
export type Color = readonly [red: number, green: number, blue: number];

/** How much of the pixel at this place is covered, from 0 to 1. */
export type Shape = (x: number, y: number) => number;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Point = readonly [x: number, y: number];

/** @param hex for example `#0b1d3a` */
export const color = (hex: string): Color => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

export const mix = (one: Color, other: Color, share: number): Color => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
];

export const clamp = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/** A smaller share of a color is not visible. */
const FAINT = 0.002;

export class Canvas {
  /** Red, green and blue of each pixel, 0 to 255. */
  readonly #values: Float32Array;
  /** The size of a pixel. */
  readonly unit: number;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#values = new Float32Array(width * height * 3);
    this.unit = 1 / height;
  }

  get right(): number {
    return this.width / this.height;
  }

  /** The whole width between two heights. */
  band(top: number, bottom: number): Box {
    return { left: 0, top, right: this.right, bottom };
  }

  /** Colors from the top down, each with its y. */
  gradient(...stops: readonly (readonly [y: number, color: Color])[]): void {
    for (let row = 0; row < this.height; row += 1) {
      const [red, green, blue] = colorBetween(stops, row / this.height);
      for (let at = row * this.width * 3; at < (row + 1) * this.width * 3; at += 3) {
        this.#values[at] = red;
        this.#values[at + 1] = green;
        this.#values[at + 2] = blue;
      }
    }
  }

  cover(shade: Color, shape: Shape, opacity = 1, box: Box = this.band(0, 1)): void {
    this.paint(() => shade, shape, opacity, box);
  }

  /** @param shadeAt called only where the shape covers something */
  paint(shadeAt: (x: number, y: number) => Color, shape: Shape, opacity: number, box: Box): void {
    const values = this.#values;
    const { unit, width } = this;
    const left = Math.max(0, Math.floor(box.left / unit));
    const right = Math.min(width, Math.ceil(box.right / unit));
    const bottom = Math.min(this.height, Math.ceil(box.bottom / unit));
    for (let row = Math.max(0, Math.floor(box.top / unit)); row < bottom; row += 1) {
      const y = (row + 0.5) * unit;
      for (let column = left; column < right; column += 1) {
        const x = (column + 0.5) * unit;
        const share = Math.min(1, shape(x, y) * opacity);
        if (share < FAINT) continue;
        const shade = shadeAt(x, y);
        const at = (row * width + column) * 3;
        for (let index = 0; index < 3; index += 1) {
          const before = values[at + index] as number; // within the canvas
          values[at + index] = before + ((shade[index] as number) - before) * share;
        }
      }
    }
  }

  disc(shade: Color, [x, y]: Point, radius: number, opacity = 1): void {
    this.cover(shade, disc(this.unit, [x, y], radius), opacity, boxAround([[x, y]], radius + this.unit));
  }

  /** Light that fades with the distance. */
  glow(shade: Color, [cx, cy]: Point, radius: number, opacity: number): void {
    const shape: Shape = (x, y) => Math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius ** 2);
    this.cover(shade, shape, opacity, boxAround([[cx, cy]], radius * 2.6));
  }

  /** A line with round ends. */
  line(shade: Color, from: Point, to: Point, thickness: number, opacity = 1): void {
    const box = boxAround([from, to], thickness + this.unit);
    this.cover(shade, line(this.unit, from, to, thickness), opacity, box);
  }

  path(shade: Color, points: readonly Point[], thickness: number, opacity = 1): void {
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (from) this.line(shade, from, to, thickness, opacity);
    }
  }

  /** A convex polygon. Its points go around clockwise. */
  polygon(shade: Color, points: readonly Point[], opacity = 1): void {
    this.cover(shade, polygon(this.unit, points), opacity, boxAround(points, this.unit));
  }

  /** Everything below a curve. */
  below(shade: Color, curve: (x: number) => number, opacity = 1): void {
    const heights = Array.from({ length: this.width }, (_, column) => curve((column + 0.5) * this.unit));
    const heightAt = (x: number) => heights[Math.floor(x / this.unit)] ?? 1;
    const box = this.band(Math.min(...heights) - this.unit, 1);
    this.cover(shade, (x, y) => clamp((y - heightAt(x)) / this.unit + 0.5), opacity, box);
  }

  toBytes(): Uint8ClampedArray {
    return new Uint8ClampedArray(this.#values);
  }
}

function colorBetween(stops: readonly (readonly [y: number, color: Color])[], y: number): Color {
  const after = stops.findIndex(([at]) => at >= y);
  const [to, from] = [stops[after], stops[after - 1]];
  if (!to) return stops.at(-1)?.[1] ?? [0, 0, 0];
  return from ? mix(from[1], to[1], (y - from[0]) / (to[0] - from[0])) : to[1];
}

export function boxAround(points: readonly Point[], margin: number): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    left: Math.min(...xs) - margin,
    top: Math.min(...ys) - margin,
    right: Math.max(...xs) + margin,
    bottom: Math.max(...ys) + margin,
  };
}

export const disc =
  (unit: number, [cx, cy]: Point, radius: number): Shape =>
  (x, y) =>
    clamp((radius - Math.hypot(x - cx, y - cy)) / unit + 0.5);

export const ring =
  (unit: number, [cx, cy]: Point, radius: number, thickness: number): Shape =>
  (x, y) =>
    clamp((thickness / 2 - Math.abs(Math.hypot(x - cx, y - cy) - radius)) / unit + 0.5);

const line = (unit: number, [ax, ay]: Point, [bx, by]: Point, thickness: number): Shape => {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy || 1;
  return (x, y) => {
    const along = clamp(((x - ax) * dx + (y - ay) * dy) / square);
    return clamp((thickness / 2 - Math.hypot(x - ax - along * dx, y - ay - along * dy)) / unit + 0.5);
  };
};

function polygon(unit: number, points: readonly Point[]): Shape {
  const edges = points.map(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    const length = Math.hypot(nextX - x, nextY - y) || 1;
    return { x, y, nx: (nextY - y) / length, ny: -(nextX - x) / length };
  });
  return (x, y) => {
    let outside = Number.NEGATIVE_INFINITY;
    for (const edge of edges) outside = Math.max(outside, (x - edge.x) * edge.nx + (y - edge.y) * edge.ny);
    return clamp(0.5 - outside / unit);
  };
}
