/** `GET /exports/<id>?key=…`: the files of exports, for whom was told the address (`DataExport.url`). */
import type { FastifyRequest } from 'fastify';
import { EXPORTS_PATH, findExport } from '../../models/system/work/data-export.js';
import { readParts } from '../../models/system/work/work-file.js';
import type { Routes } from '../../server/context/routes.js';
import { SextantError } from '../../shared/errors.js';

type ExportRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, unknown> }>;

/** By the end of the file's name. */
const TYPES: Readonly<Record<string, string>> = {
  zip: 'application/zip',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};
const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

export const workFileRoutes: Routes = (scope) => {
  const { app, services } = scope;
  app.get(`${EXPORTS_PATH}/:id`, async (plain, reply) => {
    const request = plain as ExportRequest;
    const { id } = request.params;
    const work = await scope.admit(request, 0, () => findExport(services.db, id, request.query.key, services.now()));
    if (!work) throw new SextantError('NOT_FOUND', 'There is no such file, or it has expired');
    const name = work.file_name ?? 'export';
    reply
      .header('content-type', typeOf(name))
      .header('content-length', work.bytes ?? 0)
      .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`)
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox");
    return reply.send(scope.stream(request, reply, readParts(services.db, work._id, work.first_part)));
  });
};
