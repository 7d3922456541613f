/** An SMTP server that delivers nothing. */
import { type AddressInfo, createServer } from 'node:net';

export interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly text: string;
}

export interface SmtpServer {
  readonly port: number;
  /** The URL for a server's settings. */
  readonly url: string;
  /** All received emails, in order. A test may empty it. */
  readonly mails: ReceivedMail[];
  close(): void;
}

const REPLIES: readonly (readonly [command: RegExp, reply: string])[] = [
  [/^AUTH/i, '235 welcome'],
  [/^QUIT/i, '221 bye'],
];

/** Accepts every email. Listens on a free port of 127.0.0.1. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const server = createServer((socket) => {
    let recipients: string[] = [];
    let data: string | null = null;
    let pending = '';
    socket.write('220 test ESMTP\r\n');
    socket.on('data', (chunk) => {
      pending += String(chunk);
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (data !== null && line === '.') {
          // Quoted-printable: long lines are broken with a trailing `=`.
          mails.push({ recipients, text: data.replaceAll('=\n', '').replaceAll('=3D', '=') });
          data = null;
          recipients = [];
          socket.write('250 taken\r\n');
        } else if (data !== null) data += `${line}\n`;
        else if (/^DATA/i.test(line)) {
          data = '';
          socket.write('354 go on\r\n');
        } else {
          const [, address] = /^RCPT TO:<(.*)>/i.exec(line) ?? [];
          if (address) recipients.push(address);
          socket.write(`${REPLIES.find(([command]) => command.test(line))?.[1] ?? '250 ok'}\r\n`);
        }
      }
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}
