/** `sextant config`: every setting with its value and the source of that value. Secrets are not shown. */
import { Command } from 'commander';
import { type Environment, readConfig, readEnvironment, secretSettings, settings } from '../../config/config.js';
import { print, printJson } from '../../terminal/output.js';

export const configCommand = new Command('config')
  .summary('list the settings')
  .description('list every setting, its value and where it comes from')
  .option('--json', 'print JSON')
  .action(({ json }: { json?: boolean }) => {
    const rows = describeSettings(readEnvironment(), process.env);
    if (json) printJson(rows);
    else print(table(rows));
  });

interface SettingRow {
  readonly name: string;
  /** Null when it is unset without a default, or secret. */
  readonly value: unknown;
  readonly source: 'environment' | '.env' | 'default';
  readonly secret: boolean;
  readonly description: string;
}

/** @param inherited what the process was started with; the rest of `environment` is from `.env` @throws ConfigError */
function describeSettings(environment: Environment, inherited: Environment): SettingRow[] {
  const config = readConfig(environment);
  return Object.entries(settings.shape).map(([name, rule]) => {
    const secret = secretSettings.has(name);
    const source = !environment[name] ? 'default' : inherited[name] ? 'environment' : '.env';
    const value = config[name as keyof typeof config] ?? null;
    return { name, value: secret ? null : value, source, secret, description: rule.description ?? '' };
  });
}

function table(rows: readonly SettingRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map((row) => {
    const source = row.source === 'default' ? '' : `   (${row.source})`;
    return `${row.name.padEnd(width)}  ${show(row)}${source}\n${' '.repeat(width)}    ${row.description}`;
  });
  return lines.join('\n');
}

function show({ value, secret, source }: SettingRow): string {
  if (secret && source !== 'default') return 'set (secret)';
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  return String(value);
}
