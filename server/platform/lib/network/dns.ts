// Reading DNS records: those that prove who a domain belongs to, and those that lead visitors to an address.
import { Resolver } from 'node:dns/promises';

export type DnsRecordType = 'TXT' | 'CNAME' | 'A' | 'AAAA';

/** The records of a name; none if it has none. Throws if the name servers give no answer. */
export type FindDnsRecords = (name: string, type: DnsRecordType) => Promise<readonly string[]>;

/** The name of the TXT record by which the owner of a domain states what it belongs to, such as `program=ID`. */
export const toProofName = (domain: string): string => `_tributary.${domain}`;

/** The contents of that record. It is not secret: by publishing it, the owner of a domain chooses the program. */
export const toProof = (programId: string): string => `program=${programId}`;

/** A record to create, and what was found at its name. */
export type RequiredRecord = { type: DnsRecordType; name: string; value: string; found: string[]; isCorrect: boolean };

/** The host name that a CNAME record leads to, as names are compared. */
export const toTargetName = (record: string): string => record.toLowerCase().replace(/\.$/, '');

const [timeoutMs, tries] = [3000, 2];

export const findDnsRecords: FindDnsRecords = async (name, type) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  try {
    return await resolve(resolver, name, type);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')) return [];
    throw error;
  }
};

async function resolve(resolver: Resolver, name: string, type: DnsRecordType): Promise<string[]> {
  if (type === 'TXT') return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
  if (type === 'CNAME') return resolver.resolveCname(name);
  return type === 'A' ? resolver.resolve4(name) : resolver.resolve6(name);
}
