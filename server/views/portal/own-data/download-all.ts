// The data about an affiliate in all programs that they belong to, as one file.
import { z } from 'zod';
import { listAffiliateAccounts } from '../../../accounts/identity/affiliate-accounts/find-affiliate.ts';
import type { Context } from '../../../context.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut } from '../../../platform/http/declaration/fields.ts';
import type { UserPrincipal } from '../../../platform/http/declaration/principal.ts';
import { exampleOf } from '../../../platform/http/openapi/schemas.ts';
import { toProgramRequest } from '../../../platform/test-clocks/program-clock.ts';
import { OwnData, writeOwnData } from './download.ts';

const AllOwnData = z
  .object({
    createdAt: timestampOut.describe('When the file was requested.'),
    programs: z.array(OwnData).describe('The file of each program, as `portal.downloadOwnData` returns it.'),
  })
  .meta({ id: 'AllOwnData', example: { createdAt: '2026-11-24T09:00:00.000Z', programs: [exampleOf(OwnData)] } });

export const downloadAllOwnData = endpoint({
  id: 'ownData.download',
  route: 'POST /app/own-data',
  scope: 'user',
  isSensitive: true,
  tag: 'Portal',
  summary: "Download the user's data of all programs",
  description:
    'For users who are affiliates of several programs. The download is recorded in the audit log of each. On a custom domain, a session ' +
    'only has the program of the domain: use `portal.downloadOwnData`.',
  statuses: [200],
  result: AllOwnData,
  async handle(ctx, { actor }) {
    const accounts = await listAffiliateAccounts(ctx, actor.id);
    for (const account of accounts) await recordDownload(ctx, actor, account);
    const createdAt = ctx.clock.now().toISOString();
    const content = writeAll(ctx, { userId: actor.id, accounts, createdAt });
    return new Document('application/json; charset=utf-8', content, `my-data-${createdAt.slice(0, 10)}.json`);
  },
});

type Account = Awaited<ReturnType<typeof listAffiliateAccounts>>[number];

async function recordDownload(ctx: Context, actor: UserPrincipal, { programId, affiliateId }: Account): Promise<void> {
  const own = await toProgramRequest(ctx, programId);
  await transact(own, (tx) => recordChange(tx, { programId, actor, action: 'affiliate.data_downloaded', subjectId: affiliateId }));
}

type All = { userId: string; accounts: readonly Account[]; createdAt: string };

async function* writeAll(ctx: Context, { userId, accounts, createdAt }: All): AsyncGenerator<string> {
  yield `{"createdAt":${JSON.stringify(createdAt)},\n"programs":[`;
  let separator = '\n';
  for (const { programId, affiliateId, name } of accounts) {
    yield separator;
    yield* writeOwnData(
      await toProgramRequest(ctx, programId),
      { programId, affiliateId, userId },
      { createdAt, programId, programName: name },
    );
    separator = ',\n';
  }
  yield ']}\n';
}
