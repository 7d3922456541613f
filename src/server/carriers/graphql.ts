/** Everything under `/graphql`: one scope with its own body parsers and error shape. */
import type { FastifyInstance } from 'fastify';
import { SextantError } from '../../shared/errors.js';
import { identifyViewers } from '../identity/request-viewer.js';
import { requireRootAccess } from '../operations/access.js';
import { Admission } from '../operations/admission.js';
import { readParameters } from '../request/parameters.js';
import { sendFailure } from '../request/reply.js';
import { registerUploads } from '../request/upload.js';
import type { Carrier } from './carrier.js';
import { registerEventStream } from './event-stream.js';
import { registerHttp } from './http.js';

export async function registerGraphQL(app: FastifyInstance, carrier: Carrier): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler(sendFailure);
    identifyViewers(scope, carrier.services.identities);
    takeJsonOnly(scope);
    const admission = new Admission(carrier.desk);
    const uploads = registerUploads(scope, carrier.services.config, (operation, viewer) => {
      const admitted = admission.admit(readParameters(operation));
      if (!admitted) throw new SextantError('BAD_REQUEST', 'An upload requires the text of its operation');
      requireRootAccess(carrier.schema, admitted.document, admitted.definition, viewer);
    });
    carrier.metrics.gauge('sextant_uploads', 'Requests whose files are being received or read', () => uploads.count);
    await registerHttp(scope, carrier, admission);
    await registerEventStream(scope, carrier);
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
