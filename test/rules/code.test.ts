/** Rules that the lint cannot hold: they read the code. What may import what is the lint's (`imports.test.ts`). */
import { describe, expect, it } from 'vitest';
import { codeLines, readSources } from './source-files.js';

const LINES_MAX = 350; // a file of about 300 lines can be read in one sitting

describe('the code', () => {
  it('has no file that is too long to read', () => {
    const long = ['src', 'test', 'bench']
      .flatMap(readSources)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });

  it("keeps MongoDB's operators out of the resolvers", () => {
    const operators = readSources('src/resolvers').flatMap((file) =>
      codeLines(file)
        .filter((line) => /['"`]?\$[a-z]\w*['"`]?:/i.test(line))
        .map((line) => `${file.path}: ${line.trim()}`),
    );
    expect(operators).toEqual([]);
  });
});
