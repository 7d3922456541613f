/** A file of a multipart request, as resolvers get it. */
import type { Readable } from 'node:stream';

export interface Upload {
  /** As the client named it; for show only, never a path. */
  readonly fileName: string;
  /** The file's bytes; may be called once. */
  open(): Readable;
}

import type { FastifyInstance } from 'fastify';
import type { ServerServices } from './context.js';
export async function registerUploads(_app: FastifyInstance, _services: ServerServices): Promise<void> {}
