/** Rules that the linter cannot express: they read the code. The linter checks imports (`imports.test.ts`). */
import { describe, expect, it } from 'vitest';
import { codeLines, readSources } from './source-files.js';

const LINES_MAX = 600; // the hard limit; about 150 lines are usual, and a file of more than 350 often has two subjects

/** Where this process's own clock is read, and why that is correct. Remove entries that are no longer needed. */
const WALL_CLOCK: Readonly<Record<string, string>> = {
  'src/database/embedded/file-lock.ts': 'file times come from this machine’s clock',
  'src/models/system/assets/pictures/spooled-picture.ts': 'file times come from this machine’s clock',
  'src/realtime/cursors/cursor-key.ts': 'for people who read the document; never compared',
  'src/realtime/stream/change-stream.ts':
    'the age of the last change of a full batch; `stream-loop.ts` bounds it by the monotonic clock',
  'src/cli/play/connection.ts': 'the age of a line that is sent again, on a machine that may have slept',
  'src/cli/play/terminal.ts': 'when a line was typed ahead, on a machine that may have slept',
};

describe('the code', () => {
  it('has no file that is too long to read', () => {
    const long = ['src', 'web/src', 'test', 'bench', 'harness']
      .flatMap(readSources)
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('reads no clock that may step: durations use the monotonic clock, times come from the database', () => {
    const asking = readSources('src').filter((file) =>
      codeLines(file).some((line) => /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)/.test(line)),
    );
    expect(asking.map(({ path }) => path)).toEqual(Object.keys(WALL_CLOCK).sort());
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
