/**
 * What pages with ads ask for, without signing in: the script that fills their zones (`/ads.js`), decisions (`POST /ads/decide`), which the
 * site must allow for the page's origin, the end of a profile (`POST /ads/forget`), and what receipts prove: impressions (`/ads/seen`),
 * clicks (`/ads/click`), conversions (`/ads/conversion`, for the pages that ads lead to) and the HTML of an ad (`/ads/frame`, `frames.ts`).
 * A receipt is known only to the page that it was issued to, so these need no origin. `door.ts` has the protections.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findAdUnit, landingUrlOf } from '../../models/ads/campaigns/ad-unit.js';
import type { SealedKind } from '../../models/ads/decisions/ad-signer.js';
import { KEYWORDS_MAX } from '../../models/ads/decisions/decision.js';
import {
  type EventKind,
  openReceipt,
  type Receipt,
  SEALED_AS,
  sealReceipt,
  VALID_MS,
} from '../../models/ads/decisions/receipt.js';
import type { ReceiptWrite } from '../../models/ads/recording/recording.js';
import { isKeyword } from '../../models/ads/zones/keyword.js';
import { type RouteScope, type Routes, signsOf } from '../../server/context/routes.js';
import { visitor } from '../../server/identity/viewer.js';
import { BusyError, SextantError, TransientError } from '../../shared/errors.js';
import { SECOND_MS } from '../../shared/time.js';
import { allowReading, answerPreflight } from '../analytics/cross-origin.js';
import {
  CLICK_PATH,
  CONVERSION_PATH,
  DECIDE_PATH,
  FORGET_PATH,
  FRAME_PATH,
  SCRIPT_PATH,
  SEEN_PATH,
  UNIT_PATH,
} from './ad-paths.js';
import { toSentAd } from './decided-ad.js';
import { decideForGuest, forgetGuest, type Guest, recordForGuest } from './door.js';
import { sendFrame, sendUnit } from './frames.js';
import { PAGE_SCRIPT } from './page-script.js';

const BODY_BYTES_MAX = 16_384;
const SCRIPT_SECONDS = 3600;
const LANDING_PAGES_MAX = 1000;
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

export const adRoutes: Routes = (scope) => {
  const { app, services } = scope;
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin').header('cache-control', 'no-store');
  });
  const routes = new AdRoutes(scope);
  app.get(CLICK_PATH, (request, reply) => routes.click(request, reply));
  app.register(async (limited) => {
    scope.limitRequests(services.adAllowance, limited);
    limited.get(SCRIPT_PATH, (_request, reply) =>
      reply
        .header('cache-control', `public, max-age=${SCRIPT_SECONDS}`)
        .type('text/javascript; charset=utf-8')
        .send(PAGE_SCRIPT),
    );
    limited.post(DECIDE_PATH, { bodyLimit: BODY_BYTES_MAX }, (request, reply) => routes.decide(request, reply));
    limited.options(DECIDE_PATH, (request, reply) => answerPreflight(request, reply));
    limited.post(FORGET_PATH, { bodyLimit: BODY_BYTES_MAX }, (request, reply) => routes.forget(request, reply));
    limited.get(SEEN_PATH, (request, reply) => routes.see(request, reply));
    limited.get(CONVERSION_PATH, (request, reply) => routes.convert(request, reply));
    limited.get(FRAME_PATH, (request, reply) => routes.frame(request, reply));
    limited.get(UNIT_PATH, (request, reply) => routes.unit(request, reply));
  });
};

/** A receipt, and the text that it was sealed in. */
interface Opened {
  readonly text: string;
  readonly receipt: Receipt;
}

class AdRoutes {
  /** By ad unit: so a flood of clicks, which is led on, reads hardly anything. */
  readonly #landingPages = new LRUCache<string, string>({ max: LANDING_PAGES_MAX, ttl: SECOND_MS });

  constructor(private readonly scope: RouteScope) {}

  async decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services } = this.scope;
    const question = readQuestion(request.body);
    const { origin } = request.headers;
    if (origin) allowReading(reply, origin);
    const keywords = question.keywords.filter(isKeyword).slice(0, KEYWORDS_MAX); // a page's tags are what they are
    const { visitor, ads } = await this.scope.admit(request, BODY_BYTES_MAX, () =>
      decideForGuest(guestOf(request), services, { ...question, keywords }),
    );
    return reply.send({ visitor, ads: ads.map((ad) => toSentAd(ad, this.scope.publicUrl())) });
  }

  /** For the script, when a browser that had an id now wants privacy. Like the mutation. */
  async forget(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { services } = this.scope;
    const { origin } = request.headers;
    if (origin) allowReading(reply, origin);
    const visitor = typeof request.body === 'string' ? request.body : '';
    await this.scope.admit(request, BODY_BYTES_MAX, () => forgetGuest(services, visitor));
    return reply.code(204).send();
  }

  /** Loaded when the ad is seen, by the script or as an image. The script reads only whether it was counted. */
  async see(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { origin } = request.headers;
    if (origin) allowReading(reply, origin);
    requireNoPrefetch(request);
    await this.#record(request, 'IMPRESSION', this.#receiptOf(request, SEALED_AS.IMPRESSION));
    return reply.type('image/gif').send(PIXEL);
  }

  /** An image on the page that thanks for an order. Whoever sees the page can name another value: it charges nobody. */
  async convert(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const value = readValue(request.query as Record<string, unknown>, this.scope.services.store.currency);
    await this.#record(request, 'CONVERSION', this.#receiptOf(request, SEALED_AS.CONVERSION), value);
    return reply.type('image/gif').send(PIXEL);
  }

  /**
   * Leads only to the landing page of the ad unit that the receipt names: also when the receipt is too old to be counted, when the address
   * has reached its limit, or while the server has no capacity to count. Who clicks wants to arrive.
   */
  async click(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    requireNoPrefetch(request);
    const { adAllowance } = this.scope.services;
    const isOverLimit = adAllowance.charge(request.ip) > 0; // a forged receipt is charged as well
    const opened = this.#receiptOf(request, SEALED_AS.CLICK);
    if (!isOverLimit) await this.#record(request, 'CLICK', opened).catch(ignoreTransient);
    const page = await this.#landingPageOf(opened.receipt);
    const conversion = () => sealReceipt(this.scope.services.ads.decider.signer, opened.receipt, 'conversion');
    return reply.header('referrer-policy', 'no-referrer').redirect(landingUrlOf(page, conversion), 302);
  }

  /** @throws SextantError NOT_FOUND */
  async #landingPageOf({ unit }: Receipt): Promise<string> {
    const known = this.#landingPages.get(unit);
    if (known !== undefined) return known;
    const found = await findAdUnit(this.scope.services.db, unit);
    if (!found) throw new SextantError('NOT_FOUND', 'There is no such ad');
    this.#landingPages.set(unit, found.landing_url);
    return found.landing_url;
  }

  /** What a page embeds for an ad that is HTML. */
  async frame(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { receipt } = this.#receiptOf(request, ['receipt']);
    const click = sealReceipt(this.scope.services.ads.decider.signer, receipt, 'click');
    return sendFrame(reply, this.scope.publicUrl(), click);
  }

  /** The HTML. */
  async unit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { text, receipt } = this.#receiptOf(request, ['click']);
    const unit = await this.scope.admit(request, 0, () => findAdUnit(this.scope.services.db, receipt.unit));
    if (!unit?.html) throw new SextantError('NOT_FOUND', 'There is no such ad');
    return sendUnit(reply, this.scope.publicUrl(), unit.html, text);
  }

  /** Counts it unless it is too old, or nobody has seen or clicked anything. */
  async #record(
    request: FastifyRequest,
    kind: EventKind,
    { text, receipt }: Opened,
    value?: ReceiptWrite['value'],
  ): Promise<void> {
    const { services } = this.scope;
    if (!isAct(request, kind) || services.now().getTime() - receipt.at.getTime() > VALID_MS[kind]) return;
    await this.scope.admit(request, 0, () =>
      recordForGuest(guestOf(request), services, { kind, receipts: [text], durability: 'MAJORITY', value }),
    );
  }

  /** @throws SextantError BAD_REQUEST */
  #receiptOf(request: FastifyRequest, kinds: readonly SealedKind[]): Opened {
    const { receipt: text } = request.query as { receipt?: unknown };
    const { signer } = this.scope.services.ads.decider;
    const receipt = typeof text === 'string' ? openReceipt(signer, text, kinds) : null;
    if (!receipt) throw new SextantError('BAD_REQUEST', 'The address must have a receipt of this server');
    return { text: String(text), receipt };
  }
}

/** It cannot be counted now. */
function ignoreTransient(error: unknown): void {
  if (!(error instanceof TransientError)) throw error;
}

/** What a browser loads an address for when an ad was seen or has led to something (by a script, or as an image), or was clicked. */
const DESTINATIONS: Readonly<Record<EventKind, readonly string[]>> = {
  IMPRESSION: ['empty', 'image'],
  CLICK: ['document'],
  CONVERSION: ['empty', 'image'],
};

/** Programs that check a link send HEAD. Old browsers do not say what they load it for. */
function isAct({ method, headers }: FastifyRequest, kind: EventKind): boolean {
  const destination = headers['sec-fetch-dest'];
  return method !== 'HEAD' && (destination === undefined || DESTINATIONS[kind].includes(String(destination)));
}

/** The browser asks again when there is somebody to see it. @throws BusyError */
function requireNoPrefetch({ headers }: FastifyRequest): void {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`;
  if (purpose.includes('prefetch')) throw new BusyError('This address is not for loading in advance');
}

/** Nobody signs in for these routes. */
const guestOf = (request: FastifyRequest): Guest => ({ viewer: visitor, signs: signsOf(request) });

interface AdQuestion {
  readonly site: string;
  readonly zone: string;
  readonly visitor: string | null;
  readonly keywords: readonly string[];
  readonly count: number;
}

/** @returns undefined if the address has none @throws SextantError BAD_REQUEST */
function readValue(query: Record<string, unknown>, storeCurrency: string): ReceiptWrite['value'] {
  const { value, currency = storeCurrency } = query;
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value) || typeof currency !== 'string')
    throw new SextantError('BAD_REQUEST', 'The value must be whole minor units, such as value=1250&currency=EUR');
  return { given: { amount: Number(value), currency }, currency: storeCurrency };
}

/** Sent as text/plain, so that no preflight is needed. @throws SextantError BAD_REQUEST */
function readQuestion(body: unknown): AdQuestion {
  const value = typeof body === 'string' ? parse(body) : body;
  if (typeof value === 'object' && value !== null) {
    const { site, zone, visitor = null, keywords = [], count = 1 } = value as Record<string, unknown>;
    const areTexts = (list: unknown): list is string[] =>
      Array.isArray(list) && list.every((each) => typeof each === 'string');
    const isVisitor = (id: unknown): id is string | null => id === null || typeof id === 'string';
    if (typeof site === 'string' && typeof zone === 'string' && isVisitor(visitor) && areTexts(keywords))
      if (typeof count === 'number' && Number.isInteger(count)) return { site, zone, visitor, keywords, count };
  }
  throw new SextantError('BAD_REQUEST', 'The body must be JSON such as {"site": "example.org", "zone": "top"}');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
