// The DNS record that proves that a domain belongs to an organization. It is not secret: the owner of the domain
// publishes it, and thereby decides which organization its email addresses belong to.
import type { Context } from '../../../../context.ts';
import { toProofName } from '../../../../platform/lib/network/dns.ts';

/** The TXT record to publish. */
export function toDomainRecord(organizationId: string, domain: string): { recordName: string; recordValue: string } {
  return { recordName: toProofName(domain), recordValue: `organization=${organizationId}` };
}

/** Whether the record is published now. */
export async function isDomainProven(ctx: Pick<Context, 'findDnsRecords'>, organizationId: string, domain: string): Promise<boolean> {
  const { recordName, recordValue } = toDomainRecord(organizationId, domain);
  const records = await ctx.findDnsRecords(recordName, 'TXT').catch(() => []);
  return records.some((record) => record.trim() === recordValue);
}
