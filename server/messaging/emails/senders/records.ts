// Which DNS records a sender address needs, and what the found ones mean. Pure, but for reading them.
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { type RequiredRecord, toProof, toProofName, toTargetName } from '../../../platform/lib/network/dns.ts';

export const senderProblems = ['ownership_missing', 'spf_missing', 'dkim_missing'] as const;
export type SenderProblem = (typeof senderProblems)[number];

export const senderStatuses = ['pending', 'active', 'misconfigured'] as const;
export type SenderStatus = (typeof senderStatuses)[number];

/** `spf`: the mechanism that allows the mail server of this installation. `dkim`: a selector and where its record leads. */
export type MailServer = { spf: string; dkim: { selector: string; target: string } | null };

/** What the operator says about the mail server; null if programs can't have a sender address. */
export function toMailServer({ senderSpf, senderDkim }: Pick<Config, 'senderSpf' | 'senderDkim'>): MailServer | null {
  if (senderSpf === undefined) return null;
  const [selector, target] = senderDkim?.split('=') ?? [];
  return { spf: senderSpf, dkim: selector !== undefined && target !== undefined ? { selector, target } : null };
}

export type FoundSenderRecords = { proof: string[]; spf: string[]; dkim: string[] };

type Sender = { programId: string; domain: string; server: MailServer; found: FoundSenderRecords | null };

/** The records to create. A domain has one SPF record, which the mechanism is added to. */
export function toSenderRecords({ programId, domain, server, found }: Sender): RequiredRecord[] {
  const { proof, spf, dkim } = found ?? { proof: [], spf: [], dkim: [] };
  const wanted = toProof(programId);
  return [
    { type: 'TXT', name: toProofName(domain), value: wanted, found: proof, isCorrect: proof.includes(wanted) },
    { type: 'TXT', name: domain, value: `v=spf1 ${server.spf} ~all`, found: spf, isCorrect: allows(spf, server.spf) },
    ...(server.dkim
      ? [
          {
            type: 'CNAME' as const,
            name: toDkimName(server.dkim.selector, domain),
            value: server.dkim.target,
            found: dkim,
            isCorrect: dkim.includes(server.dkim.target),
          },
        ]
      : []),
  ];
}

const toDkimName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** Whether the only SPF record has the mechanism. Receivers reject a domain with two records. */
function allows(records: readonly string[], mechanism: string): boolean {
  const [record, ...others] = records;
  return record !== undefined && others.length === 0 && record.toLowerCase().split(/\s+/).includes(mechanism.toLowerCase());
}

/** Why emails can't come from the address; null if they can. */
export function findSenderProblem(sender: Omit<Sender, 'found'> & { found: FoundSenderRecords }): SenderProblem | null {
  const [proof, spf, dkim] = toSenderRecords(sender);
  if (!proof?.isCorrect) return 'ownership_missing';
  if (!spf?.isCorrect) return 'spf_missing';
  return dkim && !dkim.isCorrect ? 'dkim_missing' : null;
}

/** The status that follows. An address whose records have not been created yet is pending. */
export function toSenderStatus(problem: SenderProblem | null, wasActive: boolean): SenderStatus {
  if (problem === null) return 'active';
  return wasActive ? 'misconfigured' : 'pending';
}

/** Limits of what is stored and shown: the name servers belong to others. */
const [maxRecords, maxText] = [10, 500];

/** Reads the records of a domain. Throws if the name servers give no answer. */
export async function readSenderRecords(
  ctx: Pick<Context, 'findDnsRecords'>,
  { domain, server }: Pick<Sender, 'domain' | 'server'>,
): Promise<FoundSenderRecords> {
  const [proof, texts, dkim] = await Promise.all([
    ctx.findDnsRecords(toProofName(domain), 'TXT'),
    ctx.findDnsRecords(domain, 'TXT'),
    server.dkim ? ctx.findDnsRecords(toDkimName(server.dkim.selector, domain), 'CNAME') : [],
  ]);
  const limited = (records: readonly string[]) => records.slice(0, maxRecords).map((record) => record.trim().slice(0, maxText));
  return {
    proof: limited(proof),
    spf: limited(texts.filter((text) => /^v=spf1(\s|$)/i.test(text.trim()))),
    dkim: limited(dkim).map(toTargetName),
  };
}
