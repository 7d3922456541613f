/** Templates for HTML. Every value is escaped unless it is markup itself. */

/** Text that is HTML. Made by the functions of this file only. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Value = Markup | string | number | null | undefined | false | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A template: `html`<p title="${title}">${text}</p>``. Attributes must be quoted. Null, undefined and false leave nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = parts[0] ?? '';
  for (const [at, value] of values.entries()) text += textOf(value) + (parts[at + 1] ?? '');
  return new Markup(text);
}

/** @param text HTML that has been sanitized */
export const sanitized = (text: string): Markup => new Markup(text);

/** @param text CSS of our own build, without `</` */
export const builtStyles = (text: string): Markup => new Markup(text);

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(textOf).join('');
}
