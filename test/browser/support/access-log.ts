/** Generates access log lines in Apache's combined format. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number) => String(value).padStart(2, '0');

function logTime(moment: number): string {
  const date = new Date(moment);
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}:${clock} +0000`;
}

export interface LoggedRequest {
  readonly at: number;
  readonly path: string;
  readonly status?: number;
}

export const logLine = ({ at, path, status = 200 }: LoggedRequest): string =>
  `203.0.113.${((at / 1000) % 250) | 0} - - [${logTime(at)}] "GET ${path} HTTP/1.1" ${status} 5120 "https://example.org/" "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"`;
