/** The built files that every page of the site uses, and what a rendered page depends on besides its content. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The same path from `src` and from `dist`. */
const FOLDER = fileURLToPath(new URL('../../../../dist/web/', import.meta.url));
const MANIFEST = join(FOLDER, '.vite/manifest.json');
const TEMPLATES = ['./pages/', './feeds/', '../../../shared/rendering/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const ENTRY = 'src/site/main.ts';

export interface SiteFiles {
  /** The text of the style sheet. Empty without a build. */
  readonly styles: string;
  /** What allows the style sheet, and no other, in a content security policy. */
  readonly styleSource: string;
  readonly script: string | null;
  /** Differs where pages are rendered differently: part of every ETag. */
  readonly version: string;
}

/** Without a build, pages have neither script nor style. */
export function readSiteFiles(): SiteFiles {
  const manifest = existsSync(MANIFEST) ? (JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest) : {};
  const { file, css = [] } = manifest[ENTRY] ?? {};
  const styles = css.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('');
  if (styles.includes('</')) throw new Error('The style sheet of the site would end within a page');
  const script = file === undefined ? null : `/${file}`;
  return {
    styles,
    styleSource: styles === '' ? "'none'" : `'sha256-${hash('sha256', styles, 'base64')}'`,
    script,
    version: hash('sha256', JSON.stringify([styles, script, templates()]), 'base64url'),
  };
}

type Manifest = Readonly<Record<string, { readonly file: string; readonly css?: readonly string[] }>>;

/** The code of the templates: a new release may render the same content differently. */
const templates = (): string[] =>
  TEMPLATES.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'utf8')),
  );
