/** The field of a form that a refusal is about: it is marked as invalid, has the focus, and is called by its label. */
import { subjectOf } from '../base/errors.js';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (element: Element): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

const fieldsOf = (form: HTMLFormElement): Field[] => [...form.elements].filter(isField);

/** Fields have the names of the API: `keywords.1.bid` is the bid of the second keyword. */
const ruleOf = ({ name }: Field): string => `${subjectOf(name)} must `;

function isRefused(field: Field, refusal: string): boolean {
  const name = subjectOf(field.name).replace(/^The /, '');
  return [ruleOf(field), `Enter a ${name} `, `Enter the ${name} `].some((start) => refusal.startsWith(start));
}

/** Only these marks are taken away again: a field may have one of its own. */
const marked = new WeakSet<Field>();

/** @returns the refusal with the label of its field */
export function markRefused(form: HTMLFormElement, refusal: string): string {
  const field = fieldsOf(form).find((each) => each.name !== '' && isRefused(each, refusal));
  if (!field) return refusal;
  field.setAttribute('aria-invalid', 'true');
  marked.add(field);
  field.focus();
  const label = field.labels?.[0]?.textContent ?? field.ariaLabel;
  return label ? refusal.replace(ruleOf(field), `“${label}” must `) : refusal;
}

export function unmarkRefused(form: HTMLFormElement): void {
  for (const field of fieldsOf(form)) if (marked.delete(field)) field.removeAttribute('aria-invalid');
}
