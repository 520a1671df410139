// Sends emails by SMTP, through nodemailer.
import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';

/** A name and an address. They become headers without being parsed. */
export type Address = { name: string; address: string };

export type Message = {
  /** The same for every attempt, so that the receiver can drop a repetition. */
  messageId: string;
  from: Address;
  replyTo?: Address;
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** An email that was handed over and not confirmed: it may have arrived. Any other error means that it has not. */
export class Unconfirmed extends Error {}

export type Mailer = { send(message: Message): Promise<void>; close(): void };

/** Sends through the server of an smtp:// or smtps:// URL. */
export function smtpMailer(url: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Servers may scan an email before they confirm it: giving up early makes the outcome unknown.
    socketTimeout: 60_000,
    // Sending again is decided where the attempts are counted.
    maxRequeues: 0,
  });
  const startedIds = new Set<string>();
  transport.use('stream', (mail, done) => {
    const { message, data } = mail;
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => Readable.from(reportReading(create(options), () => startedIds.add(String(data.messageId))));
    done();
  });
  return {
    async send({ to, ...message }) {
      try {
        await transport.sendMail({ ...message, to: { name: '', address: to } });
      } catch (error) {
        const hasResponse = error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
        if (hasResponse || !startedIds.has(message.messageId)) throw error;
        throw new Unconfirmed('The mail server did not confirm the email; it may have arrived.', { cause: error });
      } finally {
        startedIds.delete(message.messageId);
      }
    },
    close: () => transport.close(),
  };
}

/** The same stream, reporting when it is read: after the server has requested the content. */
async function* reportReading(content: AsyncIterable<Buffer>, onRead: () => void): AsyncGenerator<Buffer> {
  onRead();
  yield* content;
}
