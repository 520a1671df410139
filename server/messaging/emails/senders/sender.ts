// The sender address of a program: the address that its emails come from, once DNS records have proven its domain.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { EmailSenders } from '../../../platform/db/schema.gen.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import { type FoundSenderRecords, senderProblems, senderStatuses, toMailServer, toSenderRecords } from './records.ts';

const SenderRecord = z
  .object({
    type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']).describe('The type of the record.'),
    name: z.string().describe('The full name of the record.'),
    value: z.string().describe('What it must contain. If the domain has an SPF record, add its second part to that one.'),
    found: z.array(z.string()).describe('The values that the last check found at this name.'),
    isCorrect: z.boolean().describe('Whether the last check found what is needed.'),
  })
  .meta({ id: 'EmailSenderRecord' });

export const SenderShape = z
  .object({
    isAvailable: z.boolean().describe('Whether this installation allows programs to have a sender address.'),
    address: z.string().nullable().describe('The sender address of the program; null for that of the installation.'),
    status: z
      .enum(['off', ...senderStatuses])
      .describe(
        '`off`: without an address. `pending`: its DNS records were not found yet. `active`: emails come from it. `misconfigured`: a ' +
          'record disappeared; emails come from the address of the installation.',
      ),
    problem: z
      .enum(senderProblems)
      .nullable()
      .describe('The first record that is missing or wrong: the proof of who owns the domain, SPF, or DKIM.'),
    records: z.array(SenderRecord).describe('The DNS records to create at the domain of the address.'),
    checkedAt: timestampOut.nullable().describe('When its DNS records were last read.'),
    activatedAt: timestampOut.nullable().describe('When it first became active.'),
  })
  .meta({
    id: 'EmailSender',
    example: {
      isAvailable: true,
      address: 'partners@fernandfield.example',
      status: 'pending',
      problem: 'spf_missing',
      records: [
        {
          type: 'TXT',
          name: '_tributary.fernandfield.example',
          value: 'program=01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
          found: ['program=01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f'],
          isCorrect: true,
        },
        { type: 'TXT', name: 'fernandfield.example', value: 'v=spf1 include:spf.example.com ~all', found: [], isCorrect: false },
      ],
      checkedAt: '2026-11-26T10:00:00.000Z',
      activatedAt: null,
    },
  });

export type StoredSender = Selectable<EmailSenders>;

/** The stored sender address of a program. */
export function findSender({ db }: Pick<Context, 'db'>, programId: string): Promise<StoredSender | undefined> {
  return db.selectFrom('emailSenders').selectAll().where('programId', '=', programId).executeTakeFirst();
}

/** A sender address as the API returns it. */
export function toSender({ config }: Pick<Context, 'config'>, row: StoredSender | undefined): z.input<typeof SenderShape> {
  const server = toMailServer(config);
  const isAvailable = server !== null;
  if (!row) return { isAvailable, address: null, status: 'off', problem: null, records: [], checkedAt: null, activatedAt: null };
  const { programId, address, domain } = row;
  const found = row.found as FoundSenderRecords | null;
  return {
    isAvailable,
    address,
    status: SenderShape.shape.status.parse(row.status),
    problem: SenderShape.shape.problem.parse(row.problem),
    records: server ? toSenderRecords({ programId, domain, server, found }) : [],
    checkedAt: row.checkedAt?.toISOString() ?? null,
    activatedAt: row.activatedAt?.toISOString() ?? null,
  };
}
