/**
 * `GET /assets/<id>` and `/assets/<id>/<width>`: the bytes of pictures. Those that not everybody may see need a signature
 * (`Asset.url`); without it, they do not exist. The bytes at an address never change, so responses may be cached forever, or as long
 * as the signature is valid. Whatever the bytes are, no browser runs them as a page.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type AssetDocument, findAsset } from '../../models/system/assets/asset.js';
import { ASSETS_PATH } from '../../models/system/assets/asset-address.js';
import { readFile } from '../../models/system/assets/asset-file.js';
import { needsScaling } from '../../models/system/assets/asset-scaling.js';
import { isScaledWidth } from '../../models/system/assets/pictures/picture-type.js';
import type { RouteScope, Routes } from '../../server/context/routes.js';
import { SextantError } from '../../shared/errors.js';
import { etagMatches, rangeOf } from './conditional-request.js';

const YEAR_SECONDS = 31_536_000;
const PUBLIC_REMEMBERED_MAX = 10_000;
/** How long a process remembers that everybody may see a picture. */
const PUBLIC_REMEMBERED_MS = 2000;
const ID = /^[0-9a-f-]{36}$/;

interface Served {
  readonly _id: string;
  readonly chunkSize: number;
  readonly length: number;
  readonly type: string;
  readonly etag: string;
}

type AssetRequest = FastifyRequest<{ Params: { id: string; width?: string }; Querystring: Record<string, unknown> }>;

export const assetRoutes: Routes = (scope) => {
  const pictures = new Pictures(scope);
  const handler = (request: FastifyRequest, reply: FastifyReply) => pictures.serve(request as AssetRequest, reply);
  for (const url of [`${ASSETS_PATH}/:id`, `${ASSETS_PATH}/:id/:width`])
    scope.app.route({ method: ['GET', 'HEAD'], url, handler });
};

class Pictures {
  readonly #public = new LRUCache<string, true>({ max: PUBLIC_REMEMBERED_MAX, ttl: PUBLIC_REMEMBERED_MS });

  constructor(private readonly scope: RouteScope) {}

  async serve(request: AssetRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { asset, seconds } = await this.scope.admit(request, 0, () => this.#find(request));
    const served = await this.#choose(asset, request.params.width);
    const isPublic = seconds === null;
    reply
      .header('content-type', served.type)
      .header('etag', served.etag)
      .header('accept-ranges', 'bytes')
      .header(
        'cache-control',
        isPublic ? `public, max-age=${YEAR_SECONDS}, immutable` : `private, max-age=${seconds}, immutable`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', isPublic ? 'cross-origin' : 'same-origin');
    return this.#answer(request, reply, served);
  }

  #answer(request: AssetRequest, reply: FastifyReply, served: Served): FastifyReply {
    const { headers, method } = request;
    const { etag, length } = served;
    if (headers['if-match'] !== undefined && !etagMatches(headers['if-match'], etag)) return reply.code(412).send();
    if (headers['if-none-match'] !== undefined && etagMatches(headers['if-none-match'], etag, 'weak'))
      return reply.code(304).send();
    const range = method === 'GET' ? rangeOf(headers, etag, length) : null;
    if (range === 'unsatisfiable')
      return reply.code(416).header('content-range', `bytes */${length}`).removeHeader('content-type').send();
    const { from, to } = range ?? { from: 0, to: length };
    if (range) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${length}`);
    reply.header('content-length', to - from);
    if (method === 'HEAD') return reply.send();
    return reply.send(this.scope.stream(request, reply, readFile(this.scope.services.db, served, from, to)));
  }

  /** @returns the asset, and for how long the signature is valid; null if everybody may see it */
  async #find({ params, query }: AssetRequest): Promise<{ asset: AssetDocument; seconds: number | null }> {
    const { services } = this.scope;
    const { id } = params;
    const seconds = services.assets.signer.secondsLeft(id, query, services.now());
    // The same answer for a picture that does not exist, so that nobody learns which ones do.
    if (!ID.test(id) || (seconds === 0 && !(await this.#isPublic(id)))) throw notFound();
    const asset = await findAsset(services.db, id);
    if (!asset) throw notFound();
    return { asset, seconds: seconds === 0 ? null : seconds };
  }

  async #isPublic(id: string): Promise<boolean> {
    if (this.#public.has(id)) return true;
    const isPublic = await this.scope.services.assets.isPublic(id);
    if (isPublic) this.#public.set(id, true); // others are asked for again: they may be published at any moment
    return isPublic;
  }

  async #choose(asset: AssetDocument, wanted: string | undefined): Promise<Served> {
    const { content_type: type, sha256 } = asset.metadata;
    const whole = { _id: asset._id, chunkSize: asset.chunkSize, length: asset.length, type, etag: etagOf(sha256) };
    if (wanted === undefined) return whole;
    const width = Number(wanted);
    if (!isScaledWidth(width) || String(width) !== wanted) throw notFound();
    if (!needsScaling(asset, width)) return whole;
    const scaled = await this.scope.services.assets.scaled(asset, width);
    if (!scaled) throw notFound();
    const { file, chunk_bytes: chunkSize, bytes: length, content_type } = scaled;
    return { _id: file, chunkSize, length, type: content_type, etag: etagOf(scaled.sha256) };
  }
}

const notFound = () => new SextantError('NOT_FOUND', 'There is no such picture, or its address has expired');

const etagOf = (sha256: string) => `"${sha256}"`;
