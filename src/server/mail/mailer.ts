/** Sends email through the configured SMTP server. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.js';
import { BusyError } from '../../shared/errors.js';
import { composeMail, type Mail } from './mail-text.js';

export interface Mailer {
  /** Resolves when the SMTP server has accepted it. @throws BusyError it has not */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** An SMTP server that does not respond within this time counts as unreachable. */
const SMTP_TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 30_000;

/** Without an SMTP server the library is not loaded. Nothing sends email then: SIGN_UP=verified and password resets require one. */
export async function openMailer(
  { SMTP_URL, MAIL_FROM }: Config,
  publicUrl: () => string,
  log: FastifyBaseLogger,
): Promise<Mailer> {
  if (!SMTP_URL) {
    return { send: () => Promise.reject(new Error('No SMTP server is configured')), close: () => undefined };
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (mail) => {
      const { subject, text } = composeMail(mail, publicUrl());
      try {
        // As an object: the library would parse a string with a comma as several addresses.
        await transport.sendMail({ from: MAIL_FROM, to: { name: '', address: mail.to }, subject, text });
      } catch (error) {
        log.error({ err: error }, 'An email could not be sent');
        throw new BusyError('The email could not be sent', RETRY_AFTER_MS);
      }
    },
    close: () => transport.close(),
  };
}
