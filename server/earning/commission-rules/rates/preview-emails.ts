// Whom a change of rules concerns, and the email they would get. Nothing is saved or sent.
import { z } from 'zod';
import { findPortalUrl } from '../../../accounts/programs/hosts/site-url.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import { renderRateChanged } from '../../../messaging/emails/kinds/earnings/rate-changed.ts';
import { loadFrame } from '../../../messaging/emails/look/look.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut } from '../../../platform/http/declaration/fields.ts';
import { extendHistory, ruleChangeFields } from '../changes/rule-changes.ts';
import { rulesAt } from '../choose-rule.ts';
import { loadWholeHistory } from '../load.ts';
import { startOf } from './email-rate-changes.ts';
import { findAffected, listCandidates, loadCovered } from './find-recipients.ts';

const Preview = z
  .object({
    affiliateCount: countOut.describe('The active affiliates whose commission changes.'),
    email: z
      .object({ to: z.string().describe('The address of the affiliate.'), subject: z.string(), text: z.string() })
      .nullable()
      .describe('The email to one of them, in their language; null if no commission changes.'),
  })
  .meta({
    id: 'RateEmailPreview',
    example: {
      affiliateCount: 84,
      email: {
        to: 'ada@example.com',
        subject: 'Your commission at Fern & Field changes',
        text: 'Your commission changes, Ada\n\nFern & Field changed its commission rules. From now on:\n\nCommission: 10% → 12%',
      },
    },
  });

export const previewRateEmails = endpoint({
  id: 'commissionRules.previewEmails',
  route: 'POST /app/programs/:programId/commission-rules/email-preview',
  scope: 'read',
  requires: 'terms.write',
  isUserOnly: true,
  tag: 'Commission rules',
  summary: 'Preview the emails about a change of rules',
  description:
    'Counts the active affiliates whose commission changes, and returns the email to one of them. Tiers and budgets are not ' +
    'considered. Rules for uplines concern only affiliates who have recruited others.',
  body: z.object(ruleChangeFields).meta({ id: 'RateEmailDraft', example: { archiveRuleIds: [] } }),
  statuses: [200],
  result: Preview,
  errors: [{ status: 404, code: 'not_found', when: '`ruleId`, or an id in `archiveRuleIds`, was not found in this program.' }],
  heavy: true,
  async handle(ctx, { actor: { programId }, body }) {
    const now = ctx.clock.now();
    const history = await loadWholeHistory(ctx, programId, now);
    const { history: extended, changed } = extendHistory(ctx, history, body);
    const versions = [...changed.values()];
    const at = startOf(versions[0], now);
    const former = versions.flatMap(({ id }) => history.versions.get(id)?.[0] ?? []);
    const change = {
      ruleIds: [...changed.keys()],
      before: rulesAt(history, at.toISOString()),
      after: rulesAt(extended, at.toISOString()),
      items: await loadCovered(ctx, programId, [...former, ...versions]),
      at,
    };
    const affected = findAffected(await listCandidates(ctx, programId, { after: null, limit: null }), change);
    const [first] = affected;
    if (!first) return { affiliateCount: 0, email: null };
    const { frame, sender } = await loadFrame(ctx, { programId, affiliateId: first.id });
    const { currency, timezone } = await getProgram(ctx, programId);
    const { firstName, email: to, changed: changes } = first;
    const startsAt = at > now ? at : null;
    const ratesUrl = `${await findPortalUrl(ctx, programId)}/rates`;
    const { subject, text } = renderRateChanged(frame, sender, { ...changes, startsAt, currency, timezone, firstName, ratesUrl });
    return { affiliateCount: affected.length, email: { to, subject, text } };
  },
});
