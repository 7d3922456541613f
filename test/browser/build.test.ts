/** Checks of the dashboard that need no browser. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';
import { readTypeDefinitions } from '../../src/server/operations/schema.js';

/** The limit for what every page loads first. The first route's script is added to it: see first-load.test.ts. */
const SHELL_BYTES_MAX = 160_000;
const SHOP_BYTES_MAX = 180_000;

describe('the built dashboard', () => {
  const folder = join(projectRoot, 'dist/web');

  it.each([
    ['index.html', SHELL_BYTES_MAX],
    ['shop.html', SHOP_BYTES_MAX],
  ])('keeps script and style of %s small, also with gzip: browsers accept no brotli without TLS', (name, bytesMax) => {
    const page = readFileSync(join(folder, name), 'utf8');
    const paths = [...page.matchAll(/(?:src|href)="\/(built\/[^"]+)"/g)].map(([, path]) =>
      join(folder, path as string),
    );
    expect(paths.length).toBeGreaterThan(3);
    for (const ending of ['.gz', '.br']) {
      const sizes = paths.map((path) => statSync(existsSync(path + ending) ? path + ending : path).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(bytesMax);
    }
  });

  it('has no inline scripts, which its content security policy would block', () => {
    for (const name of ['index.html', 'shop.html', 'graphiql.html']) {
      const page = readFileSync(join(folder, name), 'utf8');
      expect(page.match(/<script(?![^>]*\bsrc=)[^>]*>/g)).toBeNull();
      expect(page.match(/(?:src|href)="https?:/g)).toBeNull();
    }
  });
});

describe('the example operations', () => {
  const folder = join(projectRoot, 'web/graphiql/examples');
  const schema = buildSchema(readTypeDefinitions().join('\n'));

  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.graphql'));

  it.each(names)('of %s are valid', (name) => {
    const document = parse(readFileSync(join(folder, name), 'utf8'));
    expect(validate(schema, document)).toEqual([]);
  });
});

describe('the colors', () => {
  const tokens = readFileSync(join(projectRoot, 'web/src/kit/base/tokens.css'), 'utf8');
  const pairs = new Map(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, ...colors]) => [name, colors]),
  );
  const color = (name: string, theme: 0 | 1) => {
    const found = pairs.get(name)?.[theme];
    if (!found) throw new Error(`Unknown color --${name}`);
    return found;
  };
  const text = ['ink', 'ink-soft', 'ink-faint', 'accent', 'accent-strong', 'good', 'warn', 'bad'];
  const grounds = ['paper', 'surface', 'sunken'];
  const onTheirOwn = [
    ['good', 'good-soft'],
    ['warn', 'warn-soft'],
    ['bad', 'bad-soft'],
    ['ink', 'bad-soft'],
    ['ink', 'accent-soft'],
    ['accent-strong', 'accent-soft'],
    ['ink-soft', 'accent-soft'],
    ['accent-ink', 'accent'],
    ['paper', 'ink'],
  ];
  const combinations = [...text.flatMap((name) => grounds.map((ground) => [name, ground])), ...onTheirOwn];

  it.each(combinations)('%s on %s is readable in both themes (WCAG AA: 4.5)', (name, ground) => {
    for (const theme of [0, 1] as const) {
      expect(contrast(color(name as string, theme), color(ground as string, theme))).toBeGreaterThanOrEqual(4.5);
    }
  });
});

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance as WCAG defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
