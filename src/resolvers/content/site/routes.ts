/**
 * The public site: `/blog` and everything below it, rendered on the server, and `/robots.txt`. Visitors see what is published, whoever
 * they are: the pages depend on nobody's session, so that everybody gets the same ones.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { findChild, isPublic, ROOT } from '../../../models/content/nodes/node.js';
import type { RouteScope, Routes } from '../../../server/context/routes.js';
import { SextantError, TransientError } from '../../../shared/errors.js';
import { SECOND_MS } from '../../../shared/time.js';
import { addressOfPlace, HOME, isMeantForHome, placeAt, SITEMAP } from './addresses.js';
import { sendFailurePage, sendPage } from './answer.js';
import { FORM_BYTES_MAX, postForm } from './comment-form.js';
import { type DiscussionQuery, WHOLE } from './discussion-find.js';
import { versionOf } from './node-views.js';
import { busyPage, gonePage, missingPage, readOnlyPage } from './pages/failure.js';
import { findMenu } from './roots-find.js';
import { readSiteFiles, type SiteFiles } from './site-files.js';
import { SiteFinder } from './site-find.js';
import type { Site } from './sitemap-find.js';

const TITLE = 'Blog'; // until there is a blog that has one
const ORIGINS_MAX = 100;
const CURSOR_LENGTH_MAX = 500;
/** Under which the router finds the home and what is below it, with capitals or with more slashes. */
const OTHER_FORMS = ['/:home(^[bB][lL][oO][gG]$)', '/:home(^[bB][lL][oO][gG]$)/*', '//*'];

export const siteRoutes: Routes = (scope) => {
  const pages = new SitePages(scope);
  const handler = (request: FastifyRequest, reply: FastifyReply) => pages.serve(request, reply);
  // Pages set the headers that protect them themselves: most answers say that nothing has changed, and need none.
  const options = { helmet: false, config: { takesUnreadable: true } } as const;
  // Scopes below the domain's: what fails unexpectedly is left to the domain's error handler.
  scope.app.register(
    async (app) => {
      const reject = (request: FastifyRequest, reply: FastifyReply) => pages.rejectMethod(request, reply);
      app.setErrorHandler((error, request, reply) => pages.fail(error, request, reply));
      app.get('', options, handler);
      app.get('/*', options, handler);
      // Whatever its type is said to be: the page answers.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, done) =>
        done(null, new URLSearchParams(String(body))),
      );
      app.post('/*', options, (request, reply) => pages.post(request, reply));
      // Before the body is read. Only what has another method is not found by the router.
      app.addHook('onRequest', async (request, reply) => {
        if (request.is404) return reject(request, reply);
      });
      app.setNotFoundHandler(reject);
    },
    { prefix: HOME },
  );
  scope.app.register(async (app) => {
    app.setErrorHandler((error, request, reply) => pages.fail(error, request, reply));
    const isOther = async ({ url }: FastifyRequest, reply: FastifyReply) => {
      if (!isMeantForHome(url)) reply.callNotFound();
    };
    for (const path of OTHER_FORMS) app.get(path, { ...options, onRequest: isOther }, handler);
  });
  scope.app.get('/robots.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\nDisallow: /graphql\n\nSitemap: ${pages.originOf(request)}${SITEMAP}\n`),
  );
};

class SitePages {
  readonly #files: SiteFiles = readSiteFiles();
  readonly #finder: SiteFinder;
  /** What all pages show, by origin. */
  readonly #sites = new LRUCache<string, Promise<Site>>({ max: ORIGINS_MAX, ttl: SECOND_MS });

  constructor(private readonly scope: RouteScope) {
    this.#finder = new SiteFinder(scope.services);
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const origin = this.originOf(request);
    const [path = '', ...query] = request.url.split('?');
    const part = partOf(request);
    const keyOf = (address: string) => JSON.stringify([origin, address, part]);
    const { sitePages } = this.scope.services;
    const { styleSource } = this.#files;
    const fresh = sitePages.fresh(keyOf(path));
    if (fresh) return sendPage(request, reply, fresh, styleSource);
    const place = placeAt(path);
    const address = place ? addressOfPlace(place) : path;
    const found =
      place &&
      (await this.scope.admit(request, 0, () =>
        sitePages.find(keyOf(address), async () => this.#finder.find(place, await this.#site(origin), part)),
      ));
    if (!found) return sendFailurePage(reply, 404, missingPage((await this.#site(origin)).view), styleSource);
    if ('isGone' in found) return sendFailurePage(reply, 410, gonePage((await this.#site(origin)).view), styleSource);
    // Looked up before: so there is one redirect at most, and it leads to a page.
    const redirectTo = (to: string) => reply.redirect([to, ...query].join('?'), 301);
    if ('to' in found) return redirectTo(found.to);
    if (address !== path) return redirectTo(address);
    return sendPage(request, reply, found, styleSource);
  }

  /** A form. The answer leads to the comment, or is the page with the form as it was sent, and why. */
  async post(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [path = ''] = request.url.split('?');
    const place = placeAt(path);
    return this.scope.admit(request, FORM_BYTES_MAX, async () => {
      const entry = place && (await this.#finder.findEntry(place));
      if (!entry) return this.rejectMethod(request, reply);
      const address = addressOfPlace(place);
      const sent = await postForm(this.scope, request, entry, address);
      if ('to' in sent) return reply.redirect(sent.to, 303);
      const query = { ...WHOLE, comment: sent.draft.replyTo, draft: sent.draft };
      const found = await this.#finder.find(place, await this.#site(this.originOf(request)), query);
      if (!found || !('render' in found)) return this.rejectMethod(request, reply);
      if (sent.retryAfterS !== undefined) reply.header('retry-after', sent.retryAfterS);
      return sendFailurePage(reply, sent.status, await found.render(), this.#files.styleSource);
    });
  }

  /** Other pages can only be read. */
  rejectMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { view } = this.#empty(this.originOf(request));
    return sendFailurePage(reply.header('allow', 'GET, HEAD'), 405, readOnlyPage(view), this.#files.styleSource);
  }

  /** Browsers get a page also when something fails; what is not expected is left to the server. */
  async fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { view } = this.#empty(this.originOf(request));
    const { styleSource } = this.#files;
    if (error instanceof TransientError) {
      reply.header('retry-after', Math.ceil(error.retryAfterMs / SECOND_MS));
      return sendFailurePage(reply, 503, busyPage(view), styleSource);
    }
    if (error instanceof SextantError && error.code === 'BAD_CURSOR')
      return sendFailurePage(reply, 404, missingPage(view), styleSource);
    reply.helmet?.(); // absent if the request was rejected before
    throw error;
  }

  /** As configured; otherwise, as the browser calls this server. */
  originOf({ protocol, host }: FastifyRequest): string {
    const { PUBLIC_URL } = this.scope.services.config;
    const url = PUBLIC_URL ?? `${protocol}://${host}`;
    return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
  }

  #site(origin: string): Promise<Site> {
    let site = this.#sites.get(origin);
    if (!site) {
      site = this.#findSite(origin);
      this.#sites.set(origin, site);
      site.catch(() => this.#sites.delete(origin));
    }
    return site;
  }

  async #findSite(origin: string): Promise<Site> {
    const { db, now, domains } = this.scope.services;
    const [counted, found] = await Promise.all([
      Promise.all(domains.map((domain) => domain.countsHits(origin))),
      findChild(db, ROOT, HOME.slice(1)),
    ]);
    const countedAs = counted.includes(true) ? new URL(origin).host : null;
    const home = found && isPublic(found, now()) ? found : null;
    const homeId = home?._id ?? null;
    const menu = await findMenu(db, homeId, now());
    const { view } = this.#empty(origin);
    return {
      view: { ...view, countedAs, title: home?.title ?? TITLE, menu: menu.links },
      version: [this.#files.version, origin, countedAs ?? '', ...menu.version, ...(home ? [versionOf(home)] : [])],
      homeId,
    };
  }

  #empty(origin: string): Site {
    const { styles, script } = this.#files;
    return {
      view: { origin, title: TITLE, home: HOME, menu: [], styles, script, countedAs: null },
      version: [],
      homeId: null,
    };
  }
}

/** Which part of a list or a discussion is asked for. */
function partOf({ query }: FastifyRequest): DiscussionQuery {
  const textOf = (name: string) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, CURSOR_LENGTH_MAX) : null;
  };
  return { ...WHOLE, after: textOf('after'), comment: textOf('comment'), isHeld: textOf('held') !== null };
}
