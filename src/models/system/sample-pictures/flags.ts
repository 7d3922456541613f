/** Signal flags of the international code, each of which stands for a letter: the portraits of people who sail. */
import { Canvas, type Color, color, type Point } from './canvas.js';

const BLUE = color('#1f4e9c');
const RED = color('#c8323c');
const YELLOW = color('#f3c53a');
const WHITE = color('#f7f5ef');
const BLACK = color('#22252b');

const SIZE = 320;

function flag(field: Color, draw: (canvas: Canvas) => void): Canvas {
  const canvas = new Canvas(SIZE, SIZE);
  canvas.gradient([0, field], [1, field]);
  draw(canvas);
  return canvas;
}

const box = (canvas: Canvas, shade: Color, [left, top]: Point, [right, bottom]: Point): void =>
  canvas.cover(shade, () => 1, 1, { left, top, right, bottom });

export const echo = (): Canvas => flag(BLUE, (canvas) => box(canvas, RED, [0, 0.5], [1, 1]));

export const india = (): Canvas => flag(YELLOW, (canvas) => canvas.disc(BLACK, [0.5, 0.5], 0.22));

export const juliett = (): Canvas => flag(BLUE, (canvas) => box(canvas, WHITE, [0, 1 / 3], [1, 2 / 3]));

export const kilo = (): Canvas => flag(YELLOW, (canvas) => box(canvas, BLUE, [0.5, 0], [1, 1]));

export const lima = (): Canvas =>
  flag(YELLOW, (canvas) => {
    box(canvas, BLACK, [0.5, 0], [1, 0.5]);
    box(canvas, BLACK, [0, 0.5], [0.5, 1]);
  });

export const mike = (): Canvas =>
  flag(BLUE, (canvas) => {
    canvas.line(WHITE, [0, 0], [1, 1], 0.2);
    canvas.line(WHITE, [1, 0], [0, 1], 0.2);
  });

export const oscar = (): Canvas =>
  flag(YELLOW, (canvas) =>
    canvas.polygon(RED, [
      [0, 0],
      [1, 0],
      [1, 1],
    ]),
  );

export const tango = (): Canvas =>
  flag(WHITE, (canvas) => {
    box(canvas, RED, [0, 0], [1 / 3, 1]);
    box(canvas, BLUE, [2 / 3, 0], [1, 1]);
  });
