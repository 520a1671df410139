// The way out for mails: SMTP through nodemailer, or a test's own list.
import nodemailer from 'nodemailer';

export type Message = {
  /** Stays the same over retries, so that a receiver can drop a repetition. */
  messageId: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

export type Mailer = { send(message: Message): Promise<void>; close(): void };

/** Sends through the server of an smtp:// or smtps:// URL. */
export function smtpMailer(url: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
  return {
    async send({ to, ...message }) {
      await transport.sendMail({ ...message, to: { name: '', address: to } });
    },
    close: () => transport.close(),
  };
}
