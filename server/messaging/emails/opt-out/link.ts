// The link in an email by which its recipient opts out. It is created when the email is sent: the stored email has a
// placeholder in its place, so that members who read the mailbox can't opt a recipient out. The link names the program,
// the address and the kind of the email, encrypted with the service's key, so it works as long as the key does and needs no row.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { type OptionalKind, optionalKinds } from '../kinds/table.ts';

/** The address in a template that is replaced when the email is sent. `.invalid` never resolves (RFC 2606). */
export const unsubscribeLink = 'https://unsubscribe-hidden.invalid/';

const hiddenInText = '(unsubscribe link)';

/** The stored form of an email with such a link. */
export function hideUnsubscribeLink<Bodies extends { text: string }>(content: Bodies): Bodies {
  return { ...content, text: content.text.replaceAll(unsubscribeLink, hiddenInText) };
}

/** The bodies as they are sent. */
export function fillUnsubscribeUrl({ text, html }: { text: string; html: string }, url: string | null): { text: string; html: string } {
  if (url === null) return { text, html };
  return { text: text.replaceAll(hiddenInText, url), html: html.replaceAll(unsubscribeLink, url) };
}

type Vault = Pick<Context, 'vault'>;
/** `kind` is null for links of emails that were sent before kinds could be chosen: they are about all of them. */
export type Subscription = { programId: string; address: string; kind: OptionalKind | null };

const owner = 'unsubscribe';
const Contents = z.union([z.tuple([z.uuid(), z.string(), z.enum(optionalKinds)]), z.tuple([z.uuid(), z.string()])]);

/** The address of the page on which a recipient opts out. */
export function createUnsubscribeUrl(
  { vault, config }: Pick<Context, 'vault' | 'config'>,
  { programId, address, kind }: Subscription,
): string {
  const token = vault.encrypt(JSON.stringify(kind ? [programId, address, kind] : [programId, address]), owner).toString('base64url');
  return `${getPublicUrl(config)}/unsubscribe/${token}`;
}

/** What a link is about; null if this service did not create it. */
export function parseUnsubscribeToken({ vault }: Vault, token: string): Subscription | null {
  if (!/^[\w-]{40,800}$/.test(token)) return null;
  try {
    const [programId, address, kind = null] = Contents.parse(JSON.parse(vault.decrypt(Buffer.from(token, 'base64url'), owner)));
    return { programId, address, kind };
  } catch {
    return null;
  }
}
