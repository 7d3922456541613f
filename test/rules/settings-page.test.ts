import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

describe('the setup page', () => {
  it('lists every setting as defined (otherwise run: node scripts/document-settings.mjs)', () => {
    const script = join(projectRoot, 'scripts/document-settings.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
