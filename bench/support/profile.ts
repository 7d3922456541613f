/** Where the product spends its time: CPU profiles of its processes, as self time by package and by function. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from './benchmark.js';

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}
interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const ROWS = 20;

export class Profiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sextant-profile-'));
  /** For the processes to profile. They write the profile when they exit, not when they are killed. */
  readonly nodeOptions = ['--cpu-prof', '--cpu-prof-dir', this.#folder, '--cpu-prof-interval', '500'];

  /** Shares of the time in which the processes were not idle, including startup and warm-up. Empties the folder. */
  tables(): Table[] {
    const packages = new Map<string, number>();
    const functions = new Map<string, number>();
    for (const name of readdirSync(this.#folder)) {
      this.#add(JSON.parse(readFileSync(join(this.#folder, name), 'utf8')), packages, functions);
      rmSync(join(this.#folder, name));
    }
    return [topOf('package', packages), topOf('function', functions)];
  }

  #add(
    { nodes, samples, timeDeltas }: CpuProfile,
    packages: Map<string, number>,
    functions: Map<string, number>,
  ): void {
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const [i, id] of samples.entries()) {
      const frame = frames.get(id);
      if (!frame || frame.functionName === '(idle)') continue;
      const micros = timeDeltas[i] ?? 0;
      const owner = packageOf(frame);
      packages.set(owner, (packages.get(owner) ?? 0) + micros);
      const place = `${frame.functionName || '(anonymous)'} · ${owner}${frame.url ? ` · ${frame.url.split('/').pop()}:${frame.lineNumber + 1}` : ''}`;
      functions.set(place, (functions.get(place) ?? 0) + micros);
    }
  }
}

function packageOf({ functionName, url }: CallFrame): string {
  if (functionName.startsWith('(')) return functionName; // (garbage collector), (program)
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name) return name;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const [, part] = /\/dist\/(.+)\/[^/]+$/.exec(url) ?? [];
  return part ? `sextant ${part}` : url ? 'sextant' : 'native code';
}

function topOf(what: string, times: ReadonlyMap<string, number>): Table {
  const total = [...times.values()].reduce((sum, micros) => sum + micros, 0);
  const rows = [...times]
    .sort(([, left], [, right]) => right - left)
    .slice(0, ROWS)
    .map(([name, micros]) => [name, `${((100 * micros) / total).toFixed(1)} %`]);
  return { columns: [what, 'self time of the product'], rows };
}
