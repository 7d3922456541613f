import { describe, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { fold, unbroken } from '../../src/terminal/fold.js';

const tooLong = (text: string) => text.split('\n').filter((line) => line.length > 80);

describe('a line of output', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

  it('stays whole up to 80 columns; a longer one is broken between words, at its indent', () => {
    expect(fold(`${words(16)}!`)).toBe(`${words(16)}!`); // 80
    expect(fold(`${words(16)}!!\n`)).toBe(`${words(15)}\nword!!\n`);
    expect(fold(`  ${words(30)}\nnext`)).toBe(`  ${words(15)}\n  ${words(15)}\nnext`);
    for (const columns of [0, 80, 200]) expect(fold(`${words(17)}`, columns)).toBe(`${words(16)}\nword`);
    expect(fold(`${words(9)}`, 40)).toBe(`${words(8)}\nword`);
  });

  it('keeps the space between its columns', () => {
    expect(fold(`NAME   ${words(20)}`)).toBe(`NAME   ${words(14)}\n${words(6)}`);
    expect(fold(`${words(15)} w      ${words(1)}`)).toBe(`${words(15)} w\n${words(1)}`);
  });

  it('keeps URLs and paths whole, even a path with spaces', () => {
    const [url, path] = [`https://example.org/${'x'.repeat(90)}`, `/a folder/${'of mine/'.repeat(12)}`];
    expect(fold(`See ${url} for more`)).toBe(`See\n${url}\nfor more`);
    expect(fold(`It is in ${unbroken(path)}`)).toBe(`It is in\n${path}`);
  });
});

describe('the output of sextant', () => {
  it('has at most 80 columns in the help of every command', async () => {
    const { output } = await runSextant(['--help']);
    const names = [...output.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*) /gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(['serve', 'import-log', 'import-catalog', 'rotate-cursor-key']));
    for (const name of names) {
      const help = await runSextant([name, '--help']);
      expect(help).toMatchObject({ code: 0, errors: '' });
      expect(tooLong(help.output), name).toEqual([]);
    }
  }, 300_000); // starts a process for each command

  it('has at most 80 columns in the list of settings', async () => {
    expect(tooLong((await runSextant(['config'])).output)).toEqual([]);
  });

  it('has at most 80 columns in errors', async () => {
    const wrong = await runSextant(['config'], { LOG_FIELDS: 'password', NODE_ENV: 'prod', MAX_COST: '-1' });
    expect(wrong.errors).toContain('LOG_FIELDS');
    const misused = await runSextant(['import-log', 'a.log', '--site', 'a.example', '--durability', 'x'.repeat(30)]);
    expect(misused.code).toBe(2);
    expect(tooLong(wrong.errors + misused.errors)).toEqual([]);
  });
});
