// Sends emails by SMTP, through nodemailer.
import { Readable } from 'node:stream';
import { once } from '../../platform/lib/once.ts';

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
  /** Where mail programs send a one-click opt-out (RFC 8058). */
  unsubscribeUrl?: string;
};

/** The mail server rejected the address permanently: another attempt would fail, too. */
export class AddressRejected extends Error {}

/** An email that was handed over and not confirmed: it may have arrived. Any other error means that it has not. */
export class Unconfirmed extends Error {}

export type Mailer = { send(message: Message): Promise<void>; close(): void };

/** Sends through the server of an smtp:// or smtps:// URL. */
export function smtpMailer(url: string): Mailer {
  const startedIds = new Set<string>();
  let close = (): void => undefined;
  const open = once(async () => {
    const transport = await openTransport(url, startedIds);
    close = () => transport.close();
    return transport;
  });
  return {
    async send({ to, unsubscribeUrl, ...message }) {
      const headers = unsubscribeUrl === undefined ? {} : toUnsubscribeHeaders(unsubscribeUrl);
      const transport = await open();
      try {
        await transport.sendMail({ ...message, headers, to: { name: '', address: to } });
      } catch (error) {
        if (isAddressRejected(error)) throw new AddressRejected(error.message, { cause: error });
        const hasResponse = error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
        if (hasResponse || !startedIds.has(message.messageId)) throw error;
        throw new Unconfirmed('The mail server did not confirm the email; it may have arrived.', { cause: error });
      } finally {
        startedIds.delete(message.messageId);
      }
    },
    close: () => close(),
  };
}

/** Connects and signs in without sending an email. Returns the error, or null. */
export async function testMailServer(url: string): Promise<string | null> {
  const transport = await openTransport(url, new Set());
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    transport.close();
  }
}

/** Reports the ids of messages whose content the mail server has requested. The first email loads the library. */
async function openTransport(url: string, startedIds: Set<string>) {
  const { default: nodemailer } = await import('nodemailer');
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
  transport.use('stream', (mail, done) => {
    const { message, data } = mail;
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => Readable.from(reportReading(create(options), () => startedIds.add(String(data.messageId))));
    done();
  });
  return transport;
}

/** The same stream, reporting when it is read: after the server has requested the content. */
async function* reportReading(content: AsyncIterable<Buffer>, onRead: () => void): AsyncGenerator<Buffer> {
  onRead();
  yield* content;
}

function toUnsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Whether a response says that the mailbox does not exist. Where a server gives the detailed status (RFC 3463), it decides:
 * a rejection by policy (5.7) or of a full mailbox (5.2.2) isn't about the address.
 */
function isAddressRejected(error: unknown): error is Error {
  if (!(error instanceof Error) || !('responseCode' in error)) return false;
  const response = 'response' in error ? String(error.response) : error.message;
  const detail = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  if (detail !== undefined) return /^5\.(1\.(1|2|3|6|10)|2\.1)$/.test(detail);
  const isRecipient = 'command' in error && error.command === 'RCPT TO';
  return isRecipient && [550, 551, 553].includes(Number(error.responseCode)) && !/relay|denied|spam|block|policy/i.test(response);
}
