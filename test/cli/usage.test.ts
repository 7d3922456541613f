import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { projectRoot } from '../../harness/project-root.js';

const SCREEN = { lines: 24, columns: 80 };

describe('the command line', () => {
  it('can be run by its name', () => {
    const { status, stderr } = spawnSync(join(projectRoot, 'dist/cli/main.js'), ['--help']);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
  });

  it('prints help that fits on one screen', async () => {
    const { code, output } = await runSextant(['--help']);
    expect(code).toBe(0);
    const lines = output.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(SCREEN.lines);
    expect(lines.filter((line) => line.length > SCREEN.columns)).toEqual([]);
    for (const command of ['serve', 'config', 'doctor', 'import-log']) {
      expect(output).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
  });

  it.each([
    ['an unknown command', ['dance'], "error: unknown command 'dance'"],
    ['an unknown option', ['doctor', '--twice'], "error: unknown option '--twice'"],
    ['no command', [], 'Usage: sextant'],
  ])('exits with 2 on %s and prints its usage', async (_case, parameters, message) => {
    const { code, output, errors } = await runSextant(parameters);
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(errors).toContain(message);
    if (parameters.length > 0) expect(errors.trimEnd().split('\n')).toHaveLength(2); // and where the help is
    expect(errors).toContain('sextant');
  });

  it('prints its version', async () => {
    const { code, output } = await runSextant(['--version']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});
