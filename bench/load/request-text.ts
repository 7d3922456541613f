/** HTTP as text, written and read without a library, so that measuring uses little CPU. */

/** The head of a GraphQL request. @param length of the body in bytes */
export function head(authorization: string | null, length: number): string {
  return [
    'POST /graphql HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json',
    ...(authorization ? [`authorization: ${authorization}`] : []),
    `content-length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

/** A whole GraphQL request. */
export const graphqlRequest = (authorization: string | null, body: string): string =>
  `${head(authorization, Buffer.byteLength(body))}${body}`;

/** A request for a page. @param headers in lower case */
export const pageRequest = (path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

const WITHOUT_BODY = new Set(['204', '304']);

export const statusOf = (data: Buffer): string => data.toString('latin1', 9, 12);

/** Whether a response is complete. */
export function isWhole(data: Buffer): boolean {
  const end = data.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (WITHOUT_BODY.has(statusOf(data))) return true;
  const [, length] = /content-length: (\d+)/i.exec(data.toString('latin1', 0, end)) ?? [];
  return length ? data.length >= end + 4 + Number(length) : data.toString('latin1', data.length - 5) === '0\r\n\r\n';
}
