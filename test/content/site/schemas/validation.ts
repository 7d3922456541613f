/** What the published rules of the formats forbid in a text: libxml2 checks XML, and zod checks JSON Feed. */
import { readFileSync } from 'node:fs';
import { validateXML } from 'xmllint-wasm';
import { z } from 'zod';

const schemas = {
  atom: { file: 'atom.rng', extension: 'relaxng' },
  rss: { file: 'rss.rng', extension: 'relaxng' },
  sitemap: { file: 'sitemap.xsd', extension: 'schema' },
} as const;

/**
 * Several texts at once, because the validator starts a thread each time.
 * @param texts by what is special about them
 * @returns the validator's messages on each, in the order of lines
 */
export async function faultsOfXml(
  format: keyof typeof schemas,
  texts: Readonly<Record<string, string>>,
): Promise<Record<string, string[]>> {
  const { file, extension } = schemas[format];
  const names = Object.keys(texts);
  const { rawOutput } = await validateXML({
    xml: names.map((name, at) => ({ fileName: `${at}.xml`, contents: texts[name] ?? '' })),
    schema: [readFileSync(new URL(file, import.meta.url), 'utf8')],
    extension,
  });
  // Each text's messages, then the verdict on it.
  const verdicts = [...rawOutput.matchAll(/((?:.*\n)*?)(\d+)\.xml (validates|fails to validate)\n/g)];
  if (verdicts.length !== names.length) throw new Error(rawOutput);
  return Object.fromEntries(
    verdicts.map(([, messages = '', at, verdict]) => [
      names[Number(at)],
      verdict === 'validates' ? [] : messages.trim().split('\n'),
    ]),
  );
}

const url = z.url({ protocol: /^https?$/ });
const time = z.iso.datetime({ offset: true });
const author = z
  .object({ name: z.string().optional(), url: url.optional(), avatar: url.optional() })
  .refine((found) => Object.keys(found).length > 0, 'An author has at least one of its members');
const attachment = z.object({
  url,
  mime_type: z.string().regex(/.+\/.+/),
  title: z.string().optional(),
  size_in_bytes: z.number().nonnegative().optional(),
  duration_in_seconds: z.number().nonnegative().optional(),
});

/** Custom objects begin with an underscore; nothing else may be added. */
const onlyKnown = <T extends z.ZodRawShape>(shape: T) =>
  z.looseObject(shape).refine((found) => {
    const others = Object.keys(found).filter((key) => !(key in shape));
    return others.every((key) => key.startsWith('_'));
  }, 'A member is neither of the format nor a custom object');

/** JSON Feed 1.0, by the text of www.jsonfeed.org/version/1: the sections on the top level and on items. */
const jsonFeed = onlyKnown({
  version: z.literal('https://jsonfeed.org/version/1'),
  title: z.string(),
  home_page_url: url.optional(),
  feed_url: url.optional(),
  description: z.string().optional(),
  user_comment: z.string().optional(),
  next_url: url.optional(),
  icon: url.optional(),
  favicon: url.optional(),
  author: author.optional(),
  expired: z.boolean().optional(),
  hubs: z.array(z.looseObject({ type: z.string(), url })).optional(),
  items: z.array(
    onlyKnown({
      id: z.string().min(1),
      url: url.optional(),
      external_url: url.optional(),
      title: z.string().optional(),
      content_html: z.string().optional(),
      content_text: z.string().optional(),
      summary: z.string().optional(),
      image: url.optional(),
      banner_image: url.optional(),
      date_published: time.optional(),
      date_modified: time.optional(),
      author: author.optional(),
      tags: z.array(z.string()).optional(),
      attachments: z.array(attachment).optional(),
    }).refine(
      ({ content_html, content_text }) => content_html !== undefined || content_text !== undefined,
      'An item has a text or HTML',
    ),
  ),
});

/** @returns a message for each rule that it breaks, with the path */
export function faultsOfJsonFeed(text: string): string[] {
  const { error } = jsonFeed.safeParse(JSON.parse(text));
  return error ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) : [];
}
