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

/** Whether a response is complete. */
export function isWhole(data: Buffer): boolean {
  const end = data.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [, length] = /content-length: (\d+)/i.exec(data.toString('latin1', 0, end)) ?? [];
  return length ? data.length >= end + 4 + Number(length) : data.toString('latin1', data.length - 5) === '0\r\n\r\n';
}
