/** Determines whether the product or a test calls, by the innermost stack frame in a file of this project. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SUPPORT = `${ROOT}test/capture/capture.ts`;
const FRAMES_MAX = 16; // the driver's own frames between the called method and the watched one

/** @returns for example `src/models/analytics/sites/site.ts findSite`; null when a test or a library called */
export function callerInSource(): string | null {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.prepareStackTrace = (_error, sites) => sites; // raw frames: source maps would cost milliseconds each
    Error.stackTraceLimit = FRAMES_MAX;
    const holder: { stack?: NodeJS.CallSite[] } = {};
    Error.captureStackTrace(holder, callerInSource);
    for (const site of holder.stack ?? []) {
      const file = toPath(site.getFileName());
      if (!file.startsWith(ROOT) || file === SUPPORT || file.includes('/node_modules/')) continue;
      const path = relative(ROOT, file);
      return path.startsWith('src/') ? `${path} ${site.getFunctionName() ?? 'top level'}` : null;
    }
    return null;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const toPath = (file: string | null | undefined): string =>
  file?.startsWith('file:') ? fileURLToPath(file) : (file ?? '');
