/** Wraps the exported async functions of models and jobs, so that the capture knows where an operation starts and ends. */
import { relative } from 'node:path';
import type { Plugin } from 'vite';

const EXPORTED = /^export async function (\w+)/gm;

export function operationPlugin(): Plugin {
  let root = '';
  return {
    name: 'sextant-operations',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    transform(code, id) {
      const path = relative(root, id);
      if (!/^src\/(models|jobs)\/.*\.ts$/.test(path)) return null;
      // A function declaration's name is assignable, and importers see the new value. Appended, so that line numbers stay the same.
      const wraps = [...code.matchAll(EXPORTED)].map(
        ([, name]) =>
          `${name} = (globalThis[Symbol.for('sextant.operation')] ?? ((_, f) => f))('${path} ${name}', ${name});`,
      );
      return wraps.length > 0 ? { code: `${code}\n// @ts-nocheck\n${wraps.join('\n')}\n`, map: null } : null;
    },
  };
}
