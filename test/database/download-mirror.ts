/** Stands in for the host of the official downloads, on loopback: it serves an archive whose mongod is a small script. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';

export type MirrorBehavior = 'serves' | 'has nothing' | 'never answers';

export interface Mirror {
  /** The requested archives. */
  readonly downloads: string[];
}

/** Starts it for one test and points the download at it. @param folder for the archive */
export async function startMirror(behavior: MirrorBehavior, folder: string): Promise<Mirror> {
  const archive = behavior === 'serves' ? await makeArchive(folder) : Buffer.alloc(0);
  const downloads: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (behavior === 'never answers') return;
    if (behavior === 'has nothing') {
      response.writeHead(403).end(); // like the official host for a missing file
    } else if (url.endsWith('.md5')) {
      const sum = createHash('md5').update(archive).digest('hex');
      response.writeHead(200, { 'content-length': sum.length }).end(sum);
    } else {
      downloads.push(url);
      response.writeHead(200, { 'content-length': archive.length }).end(archive);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('MONGOMS_USE_HTTP', 'true');
  return { downloads };
}

async function makeArchive(folder: string): Promise<Buffer> {
  const bin = join(folder, 'mongodb/bin');
  await mkdir(bin, { recursive: true });
  await writeScript(join(bin, 'mongod'), 'echo "db version v7.0.14"');
  await promisify(execFile)('tar', ['-czf', 'mongodb.tgz', 'mongodb'], { cwd: folder });
  return await readFile(join(folder, 'mongodb.tgz'));
}

export async function writeScript(path: string, body: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}
