/**
 * Writes the table of settings in docs/setup.md from their only definition, src/config. The project must be built.
 * Usage: node scripts/document-settings.mjs [--check]; --check writes nothing and exits with 1 when the table is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toJSONSchema } from 'zod';
import { readConfig, settings } from '../dist/config/config.js';

const PAGE = fileURLToPath(new URL('../docs/setup.md', import.meta.url));
const TABLE = /(<!-- settings: made by scripts\/document-settings\.mjs -->\n)[\s\S]*(<!-- end of settings -->)/;

function table() {
  const { properties } = toJSONSchema(settings, { unrepresentable: 'any' });
  const defaults = readConfig({});
  const rows = Object.entries(properties).map(([name, rule]) => {
    const value = Array.isArray(defaults[name]) ? undefined : defaults[name];
    return `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${allowed(rule)} | ${rule.description} |`;
  });
  return ['| Variable | Default | Allowed | Meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function allowed({ enum: values, minimum, maximum, minLength }) {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (maximum === Number.MAX_SAFE_INTEGER) return `at least ${minimum}`;
  if (maximum !== undefined) return `${minimum} to ${maximum}`;
  return minLength === undefined ? '' : `at least ${minLength} characters`;
}

const present = readFileSync(PAGE, 'utf8');
if (!TABLE.test(present)) throw new Error(`${PAGE} has no markers for the table of settings`);
const current = present.replace(TABLE, (_all, begin, end) => `${begin}\n${table()}\n${end}`);
if (process.argv.includes('--check')) process.exitCode = current === present ? 0 : 1;
else writeFileSync(PAGE, current);
