// Which DNS records a host needs, and what the found ones mean. Pure.
import { isIPv6 } from 'node:net';
import { type RequiredRecord, toProof, toProofName } from '../../../platform/lib/network/dns.ts';
import type { FoundRecords, Target } from './target.ts';

export const domainProblems = ['ownership_missing', 'address_missing', 'address_different', 'taken'] as const;
export type DomainProblem = (typeof domainProblems)[number];

export const domainStatuses = ['pending', 'active', 'misconfigured'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

type Host = { programId: string; host: string; target: Target; found: FoundRecords | null };

/** The records to create: the address of the host, and the proof of who owns it. */
export function toRecords({ programId, host, target, found }: Host): RequiredRecord[] {
  const proof = toProof(programId);
  const leads = found === null ? [] : found.cname === null ? found.addresses : [found.cname];
  const isLeading = found !== null && findAddressProblem(target, found) === null;
  const address = { name: host, found: leads, isCorrect: isLeading };
  return [
    ...(target.host === null
      ? target.addresses.map((value) => ({ type: isIPv6(value) ? ('AAAA' as const) : ('A' as const), value, ...address }))
      : [{ type: 'CNAME' as const, value: target.host, ...address }]),
    { type: 'TXT', name: toProofName(host), value: proof, found: found?.txt ?? [], isCorrect: found?.txt.includes(proof) ?? false },
  ];
}

/** Why visitors of a host don't arrive at this installation; null if they do. */
export function findAddressProblem({ host }: Target, { cname, addresses, targets }: FoundRecords): DomainProblem | null {
  if (cname !== null && cname === host) return null;
  if (addresses.length === 0) return cname === null ? 'address_missing' : 'address_different';
  // One address of another server is enough for some visitors to arrive there.
  return addresses.every((address) => targets.includes(address)) ? null : 'address_different';
}

/** `programId`: the program whose domain is checked; `ownerId`: the owner before the check. */
type Ownership = { programId: string; ownerId: string | null };

/**
 * What a check means for the ownership of a host. A program that has proven it stays the owner without the record, until
 * another program has the record and the owner does not.
 */
export function judgeOwnership(
  { programId, ownerId }: Ownership,
  { txt }: Pick<FoundRecords, 'txt'>,
): 'kept' | 'gained' | 'missing' | 'taken' {
  if (ownerId === programId) return 'kept';
  if (!txt.includes(toProof(programId))) return ownerId === null ? 'missing' : 'taken';
  return ownerId !== null && txt.includes(toProof(ownerId)) ? 'taken' : 'gained';
}

/** The status that follows from what is wrong. A domain whose records have not been created yet is pending. */
export function toStatus(problem: DomainProblem | null, wasActive: boolean): DomainStatus {
  if (problem === null) return 'active';
  const isMissing = problem === 'ownership_missing' || problem === 'address_missing';
  return isMissing && !wasActive ? 'pending' : 'misconfigured';
}
