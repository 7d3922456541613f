/** Keeps the findings of each benchmark's last run in `results.json`, and writes `RESULTS.md` from them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../harness/project-root.js';
import { type Findings, isReached, type Table, type Verdict } from './benchmark.js';
import { type Exception, exceptions } from './exceptions.js';

const STORE = join(projectRoot, 'bench/results.json');
const PAGE = join(projectRoot, 'bench/RESULTS.md');

export interface Section extends Findings {
  readonly title: string;
  readonly date: string;
  readonly command: string;
  readonly machine: string;
  readonly versions: string;
}

type Store = Readonly<Record<string, Section>>;

export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${first?.model.trim() ?? 'unknown processor'}, ${memory} GB, ${type()} ${release()} ${arch()}`;
}

/** Replaces the benchmark's previous section. */
export function keep(name: string, section: Section): void {
  const store = { ...readStore(), [name]: section };
  writeFileSync(STORE, `${JSON.stringify(store, null, 2)}\n`);
  writeFileSync(PAGE, page(store));
}

function readStore(): Store {
  try {
    return JSON.parse(readFileSync(STORE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function page(store: Store): string {
  const verdicts = Object.values(store).flatMap((section) => section.verdicts);
  return [
    '# Results',
    'Written by `npm run bench`; each section is from its own last run. Ratios are taken within interleaved rounds; the median is shown.',
    'CPU is the user and system time of the server process only, from `/proc/PID/stat`. The database and the clients are not counted.',
    '',
    '## Settings that differ from the defaults',
    table({ columns: ['setting', 'value', 'reason', 'benchmarks'], rows: exceptions.map(exceptionRow) }),
    '',
    '## Goals',
    table({ columns: ['', 'compared with', 'measured', 'goal', ''], rows: verdicts.map(verdictRow) }),
    ...Object.entries(store).map(([name, section]) => sectionText(name, section)),
  ].join('\n');
}

const exceptionRow = ({ setting, value, reason, only = 'all' }: Exception): string[] => [
  `\`${setting}\``,
  `\`${value}\``,
  reason,
  only,
];

function verdictRow(verdict: Verdict): string[] {
  const { row, against, measured, bound, goal, unit = '', remark = '' } = verdict;
  const figure = measured === null ? 'not measured' : `${format(measured)}${unit}`;
  const mark = measured === null ? '' : isReached(verdict) ? 'met' : '**missed**';
  return [row, against, figure, `${bound} ${goal}${unit}`, [mark, remark].filter(Boolean).join('; ')];
}

function sectionText(name: string, section: Section): string {
  return [
    '',
    `## ${section.title}`,
    `\`npm run bench -- ${name}\`: ${section.date}, \`${section.command}\`, ${section.machine}; ${section.versions}.`,
    ...section.tables.map((one) => `\n${table(one)}`),
    ...section.notes.map((note) => `\n${note}`),
    '',
  ].join('\n');
}

export function table({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Three significant digits, so that no figure looks more precise than it is. */
/** "1 round", "3 rounds". */
export const roundsOf = (rounds: number): string => `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;

export function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(3);
}
