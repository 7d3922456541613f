/** Everything under `/graphql`: one scope with its own body parsers and error shape. */
import type { FastifyInstance } from 'fastify';
import { SextantError } from '../../shared/errors.js';
import { identifyViewers } from '../identity/request-viewer.js';
import { requireRootAccess } from '../operations/access.js';
import { HttpAdmission } from '../operations/http-admission.js';
import { readParameters } from '../request/parameters.js';
import { sendFailure } from '../request/reply.js';
import { registerUploads } from '../request/upload.js';
import { registerEventStream } from './event-stream.js';
import { registerHttp } from './http.js';
import type { Transport } from './transport.js';

export async function registerGraphQL(app: FastifyInstance, transport: Transport): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(sendFailure);
    identifyViewers(scope, transport.services.identities);
    takeJsonOnly(scope);
    const httpAdmission = new HttpAdmission(transport.admission);
    const uploads = registerUploads(scope, transport.services.config, (operation, viewer) => {
      const admitted = httpAdmission.admit(readParameters(operation));
      if (!admitted) throw new SextantError('BAD_REQUEST', 'An upload requires the text of its operation');
      requireRootAccess(transport.schema, admitted.document, admitted.definition, viewer);
    });
    transport.metrics.gauge('sextant_uploads', 'Requests whose files are being received or read', () => uploads.count);
    await registerHttp(scope, transport, httpAdmission);
    await registerEventStream(scope, transport);
  });
}

/** JSON as well-formed UTF-8. Fastify alone would accept plain text, and replace invalid UTF-8 with U+FFFD. */
function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      done(new SextantError('BAD_REQUEST', 'The body is not UTF-8'));
      return;
    }
    parse(request, text, done);
  });
}
