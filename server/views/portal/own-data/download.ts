// All data that the service stores about an affiliate, as one file (GDPR, articles 15 and 20). It is written by POST: a member
// who views the portal as the affiliate can only read, and the download is in the audit log.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { AffiliateStatus } from '../../../partners/affiliates/affiliate.ts';
import { recordChange } from '../../../platform/audit/record.ts';
import { transact } from '../../../platform/db/transact.ts';
import { Document, endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { formatPaced } from '../../../platform/http/load/long-response.ts';
import { omissions } from './omissions.ts';
import type { Owner, Section } from './section.ts';
import { accountSections } from './sections/account.ts';
import { moneySections } from './sections/money.ts';
import { promotionSections } from './sections/promotion.ts';
import { recordSections } from './sections/records.ts';

/** In the order of the file. */
export const sections: readonly Section[] = [...accountSections, ...promotionSections, ...moneySections, ...recordSections];

const notIncluded = omissions.map(({ what, note }) => ({ what, note }));

const Head = z.object({
  createdAt: timestampOut.describe('When the file was requested.'),
  programId: uuidOut,
  programName: z.string(),
  notIncluded: z
    .array(z.object({ what: z.string().describe('The data that is not included.'), note: z.string().describe('Why it is not included.') }))
    .describe('What the file does not contain.'),
});

export const OwnData = Head.extend(
  Object.fromEntries(sections.map(({ name, meaning, row }) => [name, z.array(row).describe(meaning)])),
).meta({
  id: 'PortalOwnData',
  example: {
    createdAt: '2026-11-24T09:00:00.000Z',
    programId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
    programName: 'Fern & Field',
    notIncluded: notIncluded.slice(0, 1),
    ...Object.fromEntries(sections.map(({ name, example }) => [name, [example]])),
  },
});

export const downloadOwnData = endpoint({
  id: 'portal.downloadOwnData',
  route: 'POST /app/portal/:programId/own-data',
  scope: 'affiliate',
  affiliateStatuses: AffiliateStatus.options,
  isSensitive: true,
  tag: 'Portal',
  summary: "Download the affiliate's data",
  description:
    'One file with all data that is stored about the affiliate in this program, and about their sign-in: an array for each kind of ' +
    'data, oldest first. `notIncluded` lists the exceptions with their reasons. The download is recorded in the audit log.',
  statuses: [200],
  heavy: true,
  result: OwnData,
  async handle(ctx, { actor }) {
    const { programId, affiliateId, id: userId } = actor;
    const { name: programName } = await getProgram(ctx, programId);
    await transact(ctx, (tx) => recordChange(tx, { programId, actor, action: 'affiliate.data_downloaded', subjectId: affiliateId }));
    const createdAt = ctx.clock.now().toISOString();
    const content = writeOwnData(ctx, { programId, affiliateId, userId }, { createdAt, programId, programName });
    return new Document('application/json; charset=utf-8', content, `my-data-${createdAt.slice(0, 10)}.json`);
  },
});

/** The file in parts, with one page of rows in memory at a time. */
export async function* writeOwnData(
  ctx: Pick<Context, 'db'>,
  owner: Owner,
  head: Omit<z.input<typeof Head>, 'notIncluded'>,
): AsyncGenerator<string> {
  const { createdAt, programId, programName } = head;
  yield JSON.stringify(Head.parse({ createdAt, programId, programName, notIncluded })).slice(0, -1);
  for (const { name, row, pages } of sections) {
    yield `,\n"${name}":[`;
    let separator = '\n';
    for await (const text of formatPaced(pages(ctx, owner), (rows) => rows.map((each) => JSON.stringify(row.parse(each))).join(',\n'))) {
      yield separator + text;
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}
