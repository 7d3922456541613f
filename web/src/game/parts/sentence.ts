/** Refusals of the API have no full stop at the end. */
export const asSentence = (text: string): string => (/[.!?…”]$/.test(text) ? text : `${text}.`);
