// The link "This wasn't me" of the email about changed payout details. It is created when the email is sent and never
// stored: it names the program, the affiliate and the change, encrypted with the service's key, and expires.
import { z } from 'zod';
import type { Context } from '../../../../context.ts';
import { getPublicUrl } from '../../../../platform/lib/network/public-url.ts';

/** The address in the template that is replaced when the email is sent. `.invalid` never resolves (RFC 2606). */
export const reportLink = 'https://report-hidden.invalid/';

const hiddenInText = '(report link)';
const lifetimeMs = 72 * 3_600_000;
const owner = 'payout-details-report';
const Contents = z.tuple([z.uuid(), z.uuid(), z.string(), z.int()]);

/** A change of payout details that can be reported until `expiresAt`. */
export type ReportableChange = { programId: string; affiliateId: string; changeId: string; expiresAt: Date };
type Bodies = { text: string; html: string };

/** The stored form of an email with such a link. */
export function hideReportLink<Content extends Bodies>(content: Content): Content {
  return { ...content, text: content.text.replaceAll(reportLink, hiddenInText) };
}

/** The bodies as they are sent. */
export function fillReportLink({ text, html }: Bodies, url: string): Bodies {
  return { text: text.replaceAll(hiddenInText, url), html: html.replaceAll(reportLink, url) };
}

/** The link about a change that was made at `changedAt`. It works as long as the change waits. */
export function createReportUrl(
  { vault, config }: Pick<Context, 'vault' | 'config'>,
  { programId, affiliateId, changeId, changedAt }: Omit<ReportableChange, 'expiresAt'> & { changedAt: Date },
): string {
  const contents = JSON.stringify([programId, affiliateId, changeId, changedAt.getTime() + lifetimeMs]);
  return `${getPublicUrl(config)}/payout-change/${vault.encrypt(contents, owner).toString('base64url')}`;
}

/** What a link is about; null if this service did not create it. */
export function parseReportToken({ vault }: Pick<Context, 'vault'>, token: string): ReportableChange | null {
  if (!/^[\w-]{40,800}$/.test(token)) return null;
  try {
    const contents = Contents.parse(JSON.parse(vault.decrypt(Buffer.from(token, 'base64url'), owner)));
    const [programId, affiliateId, changeId, expiresAt] = contents;
    return { programId, affiliateId, changeId, expiresAt: new Date(expiresAt) };
  } catch {
    return null;
  }
}
