import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSextant } from '../../harness/command.js';
import { fold } from '../../src/terminal/fold.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const find = (output: string, name: string) =>
  (JSON.parse(output) as { name: string }[]).find((row) => row.name === name);

describe('sextant config', () => {
  it('lists each setting with its value, its source and its description', async () => {
    const { code, output } = await runSextant(['config'], { PORT: '4711' });
    expect(code).toBe(0);
    expect(output).toMatch(/^PORT +4711 {3}\(environment\)\n +the port to listen on; 0 picks a free one\n/m);
    expect(output).toMatch(/^HOST +127\.0\.0\.1\n/m);
  });

  it('shows no secret, neither as text nor as JSON', async () => {
    const secrets = {
      ADMIN_PASSWORD: 'a password of mine',
      TOKEN_SECRET: 'a secret of thirty-two characters or more',
      MONGODB_URI: 'mongodb://ann:secret@example.org/',
    };
    const [text, json] = [await runSextant(['config'], secrets), await runSextant(['config', '--json'], secrets)];
    for (const { output } of [text, json])
      for (const secret of Object.values(secrets)) expect(output).not.toContain(secret);
    expect(text.output).toMatch(/^TOKEN_SECRET +set \(secret\) {3}\(environment\)\n/m);
    expect(find(json.output, 'TOKEN_SECRET')).toEqual({
      name: 'TOKEN_SECRET',
      value: null,
      source: 'environment',
      secret: true,
      description: expect.any(String),
    });
  });

  it('reads missing variables from .env in development, and only there', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, '.env'), 'PORT=4711\nMAX_DEPTH=7\n');
    const inDevelopment = await runSextant(['config', '--json'], { NODE_ENV: 'development', PORT: '4712' }, folder);
    expect(find(inDevelopment.output, 'PORT')).toMatchObject({ value: 4712, source: 'environment' });
    expect(find(inDevelopment.output, 'MAX_DEPTH')).toMatchObject({ value: 7, source: '.env' });
    const inTests = await runSextant(['config', '--json'], {}, folder);
    expect(find(inTests.output, 'MAX_DEPTH')).toMatchObject({ value: 12, source: 'default' });
  });

  it('names every invalid setting, and exits with 2', async () => {
    const broken = {
      PORT: '70000',
      GRAPHIQL: 'maybe',
      ADMIN_EMAIL: 'nobody',
      MAX_DEPTH: 'deep',
      TOKEN_SECRET: 'short',
    };
    const { code, output, errors } = await runSextant(['config'], broken);
    expect(code).toBe(2);
    expect(output).toBe('');
    expect(errors.split('\n')).toEqual([
      'The environment has invalid settings:',
      '  PORT: must be a whole number from 0 to 65535',
      '  GRAPHIQL: must be true or false',
      '  ADMIN_EMAIL: must be an email address',
      '  TOKEN_SECRET: must have at least 32 characters',
      '  MAX_DEPTH: must be a whole number from 1 to 50',
      '',
    ]);
  });

  it.each([
    [{}, 'TOKEN_SECRET: must be set in production, at least 32 characters, or TOKEN_PRIVATE_KEY'],
    [
      { TOKEN_SECRET: 'x'.repeat(32), SEXTANT_FAILPOINT: 'a.b' },
      'SEXTANT_FAILPOINT: is for tests and not allowed in production',
    ],
  ])('rejects unsafe settings in production', async (environment, message) => {
    const { code, errors } = await runSextant(['config'], { NODE_ENV: 'production', ...environment });
    expect({ code, errors }).toEqual({ code: 2, errors: fold(`${message}\n`) });
  });

  it('rejects idempotency keys that outlive the audit entries which identify repeated calls', async () => {
    const { code, errors } = await runSextant(['config'], { AUDIT_DAYS: '1', IDEMPOTENCY_HOURS: '25' });
    expect(code).toBe(2);
    expect(errors).toBe(
      fold('AUDIT_DAYS: must be at least 2 with IDEMPOTENCY_HOURS=25: retries of a call are recognized by its entry\n'),
    );
    expect(await runSextant(['config'], { AUDIT_DAYS: '1', IDEMPOTENCY_HOURS: '24' })).toMatchObject({ code: 0 });
  });

  it('treats an empty variable as unset', async () => {
    const { output } = await runSextant(['config', '--json'], { PORT: '', MONGODB_URI: '' });
    expect(find(output, 'PORT')).toMatchObject({ value: 4000, source: 'default' });
  });
});
