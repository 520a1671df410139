// A ledger entry: one transfer from one account to another.
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AffiliateReference } from '../../partners/affiliates/reference.ts';
import type { LedgerEntries } from '../../platform/db/schema.gen.ts';
import { centsOut, countOut, currencyOut, timestampOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { idSlot } from '../../platform/http/declaration/id-slot.ts';
import { accounts, movements } from './chart.ts';

const kinds = Object.keys(movements) as [keyof typeof movements, ...(keyof typeof movements)[]];

export const EntryKind = z.enum(kinds).meta({ id: 'LedgerEntryKind' });
export const LedgerAccount = z.enum(accounts).meta({ id: 'LedgerAccount' });

/** The kinds with their descriptions, as a Markdown list. */
export const kindList = kinds.map((kind) => `- \`${kind}\`: ${movements[kind].description}`).join('\n');

export const EntryShape = z
  .object({
    seq: countOut.describe("The position in the program's ledger, from 1 and without gaps."),
    id: uuidOut,
    kind: EntryKind,
    affiliateId: uuidOut,
    commissionId: uuidOut.nullable(),
    debit: LedgerAccount.describe('The account that the money leaves.'),
    credit: LedgerAccount.describe('The account that receives the money.'),
    amountCents: centsOut.describe('Greater than 0.'),
    currency: currencyOut,
    ref: z.string().describe('Identifies the cause of the entry; unique for each kind.'),
    hash: z.string().describe('The SHA-256 hash of the previous hash and this entry, in hex.'),
    createdAt: timestampOut,
    affiliate: AffiliateReference.optional().describe('Included with `?expand=affiliate`.'),
  })
  .meta({
    id: 'LedgerEntry',
    example: {
      seq: 1042,
      id: '01980a53-8f20-7a11-8b3c-5d6e7f809102',
      kind: 'accrue',
      affiliateId: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      commissionId: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
      debit: 'commissions',
      credit: 'pending',
      amountCents: 1250,
      currency: 'USD',
      ref: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
      hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      createdAt: '2026-11-02T09:30:00.000Z',
    },
  });

export const entrySlot = idSlot('ledgerEntries', 'The id of the ledger entry.');

export function toEntry({ programId: _, cents, ...row }: Selectable<LedgerEntries>): z.input<typeof EntryShape> {
  return {
    ...row,
    amountCents: cents,
    kind: EntryKind.parse(row.kind),
    debit: LedgerAccount.parse(row.debit),
    credit: LedgerAccount.parse(row.credit),
    hash: row.hash.toString('hex'),
    createdAt: row.createdAt.toISOString(),
  };
}
