// A custom domain: a host name on which a program has its links, its portal or its storefronts.
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Domains } from '../../platform/db/schema.gen.ts';
import { createdAtOut, timestampOut, updatedAtOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { sitePurposes } from '../../platform/http/sites/site.ts';
import { NotFound } from '../../platform/lib/errors.ts';
import { domainProblems, domainStatuses, toRecords } from './dns/records.ts';
import { type FoundRecords, toTarget } from './dns/target.ts';

export const DomainPurpose = z.enum(sitePurposes).meta({ id: 'DomainPurpose' });
export const DomainStatus = z.enum(domainStatuses).meta({ id: 'DomainStatus' });
const DomainProblem = z.enum(domainProblems).meta({ id: 'DomainProblem' });

const DnsRecord = z
  .object({
    type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
    name: z.string().describe('The full name of the record.'),
    value: z.string(),
    found: z.array(z.string()).describe('The values that the last check found at this name.'),
    isCorrect: z.boolean().describe('Whether the last check found what is needed.'),
  })
  .meta({ id: 'DnsRecord' });

export const DomainShape = z
  .object({
    id: uuidOut,
    host: z.string().describe('The host name, in punycode.'),
    purpose: DomainPurpose.describe(
      '`links`: `https://HOST/CODE` redirects like `/r/CODE`; `portal`: affiliates sign in at `https://HOST`; `storefronts`: ' +
        '`https://HOST/SLUG` is a landing page.',
    ),
    status: DomainStatus.describe(
      '`pending`: the DNS records were not found yet; `active`: it is in use; `misconfigured`: its records are wrong.',
    ),
    problem: DomainProblem.nullable().describe(
      '`ownership_missing`: the TXT record was not found; `address_missing`: the host has no address; `address_different`: it leads to ' +
        'another server; `taken`: another program of this installation has proven that it owns the host.',
    ),
    isDefault: z.boolean().describe('Whether addresses of this purpose are built with this host.'),
    url: z.string(),
    records: z.array(DnsRecord).describe('The DNS records to create.'),
    addresses: z
      .array(z.string())
      .describe('For a host that can’t have a CNAME record, such as `acme.com`: create A and AAAA records with these addresses instead.'),
    checkedAt: timestampOut.nullable().describe('When its DNS records were last read.'),
    activatedAt: timestampOut.nullable().describe('When it first became active.'),
    createdAt: createdAtOut,
    updatedAt: updatedAtOut,
  })
  .meta({
    id: 'Domain',
    example: {
      id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
      host: 'go.fernandfield.example',
      purpose: 'links',
      status: 'active',
      problem: null,
      isDefault: true,
      url: 'https://go.fernandfield.example',
      records: [
        {
          type: 'CNAME',
          name: 'go.fernandfield.example',
          value: 'affiliates.example.com',
          found: ['affiliates.example.com'],
          isCorrect: true,
        },
        {
          type: 'TXT',
          name: '_tributary.go.fernandfield.example',
          value: 'program=01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
          found: ['program=01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f'],
          isCorrect: true,
        },
      ],
      addresses: ['203.0.113.10'],
      checkedAt: '2026-11-26T10:00:00.000Z',
      activatedAt: '2026-11-20T10:00:00.000Z',
      createdAt: '2026-11-20T09:00:00.000Z',
      updatedAt: '2026-11-26T10:00:00.000Z',
    },
  });

export const domainSlot = idSlot('domains', 'The id of the domain.');

export type Domain = Selectable<Domains> & { isDefault: boolean };

/** Whether a domain of the program is the default of its purpose. */
export const selectIsDefault = (programId: string) =>
  sql<boolean>`exists (select from program_hosts as host
    where host.program_id = ${programId} and host.domain_id = domains.id and host.is_default)`.as('isDefault');

/** The domain. Throws NotFound. */
export function getDomain({ db }: Pick<Context, 'db'>, programId: string, id: string): Promise<Domain> {
  const domains = db.selectFrom('domains').selectAll().select(selectIsDefault(programId));
  return domains
    .where('programId', '=', programId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new NotFound());
}

export function toDomain({ config }: Pick<Context, 'config'>, row: Domain): z.input<typeof DomainShape> {
  const { id, programId, host } = row;
  const found = row.found as FoundRecords | null;
  return {
    id,
    host,
    purpose: DomainPurpose.parse(row.purpose),
    status: DomainStatus.parse(row.status),
    problem: DomainProblem.nullable().parse(row.problem),
    isDefault: row.isDefault,
    url: `https://${host}`,
    records: toRecords({ programId, host, target: toTarget(config), found }),
    addresses: found?.targets ?? [],
    checkedAt: row.checkedAt?.toISOString() ?? null,
    activatedAt: row.activatedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
