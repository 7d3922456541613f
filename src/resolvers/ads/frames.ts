/**
 * The two frames of an ad that is HTML. A page embeds the outer one (`/ads/frame`), which is ours and runs nothing. That embeds the
 * advertiser's HTML (`/ads/unit`), and its policy names the one address that it may show. So the HTML cannot replace itself with another
 * site, whatever the page allows, and its address has nothing but a receipt that counts as a click.
 */
import type { FastifyReply } from 'fastify';
import { adUrl, CLICK_PATH, UNIT_PATH } from './ad-paths.js';

/**
 * The HTML of an advertiser runs in an origin of its own, without access to the page around it, to cookies or to this server. It may open
 * its landing page in a new window, but not replace the page. The outer frame needs the same rights: what it lacks, the inner one lacks.
 */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

const NOTHING_ELSE = [`sandbox ${SANDBOX}`, "default-src 'none'", "form-action 'none'", "base-uri 'none'"];

const UNIT_POLICY = [
  ...NOTHING_ELSE,
  'img-src https: data:',
  'media-src https:',
  'font-src https: data:',
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
];

/** @param click a receipt that counts as a click only */
export function sendFrame(reply: FastifyReply, publicUrl: string, click: string): FastifyReply {
  const url = adUrl(publicUrl, UNIT_PATH, click);
  const [path] = url.split('?'); // a policy does not compare queries
  return sendPage(
    reply,
    [...NOTHING_ELSE, `frame-src ${path}`, "style-src 'unsafe-inline'"],
    `<html lang="en"><title>Ad</title><style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0 }</style><iframe title="Ad" sandbox="${SANDBOX}" referrerpolicy="no-referrer" src="${url}"></iframe>`,
  );
}

/** @param html of an advertiser @param click a receipt that counts as a click only */
export function sendUnit(reply: FastifyReply, publicUrl: string, html: string, click: string): FastifyReply {
  const content = html.replaceAll('{{clickUrl}}', adUrl(publicUrl, CLICK_PATH, click));
  return sendPage(reply, UNIT_POLICY, `<base target="_blank">${content}`);
}

function sendPage(reply: FastifyReply, policy: readonly string[], content: string): FastifyReply {
  return reply
    .header('content-security-policy', policy.join('; '))
    .removeHeader('x-frame-options')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><meta charset="utf-8">${content}`);
}
