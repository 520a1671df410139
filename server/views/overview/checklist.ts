// The steps of "Get your first conversion", each completed by what exists in the program.
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.ts';

export const checklistExample = {
  hasConnection: true,
  hasConversion: true,
  hasCommissionRule: true,
  hasAffiliate: true,
  hasApprovedPage: false,
  hasPayoutProvider: false,
  hasTeam: false,
};

export const Checklist = z
  .object({
    hasConnection: z.boolean().describe('A store is connected, or an API key was used.'),
    hasConversion: z.boolean(),
    hasCommissionRule: z.boolean().describe('A rule was created or changed after the program was created with its default rule.'),
    hasAffiliate: z.boolean(),
    hasApprovedPage: z.boolean(),
    hasPayoutProvider: z.boolean(),
    hasTeam: z.boolean().describe('A second member, or an invitation of one.'),
  })
  .meta({
    id: 'OverviewChecklist',
    example: checklistExample,
  });

export async function readChecklist(ctx: Pick<Context, 'db'>, programId: string): Promise<z.input<typeof Checklist>> {
  const { rows } = await sql<z.input<typeof Checklist>>`
    select
      exists (select from providers where program_id = ${programId} and kind = 'commerce' and status <> 'archived')
        or exists (select from api_keys where program_id = ${programId} and last_used_at is not null) as has_connection,
      exists (select from conversions where program_id = ${programId}) as has_conversion,
      exists (select from commission_rules as rule where program_id = ${programId} and status = 'active' and (version > 1 or not exists (
        select from audit_log where program_id = ${programId} and subject_id = rule.id and action = 'rule.created' and actor_kind = 'command'
      ))) as has_commission_rule,
      exists (select from affiliates where program_id = ${programId}) as has_affiliate,
      exists (select from landing_pages where program_id = ${programId} and approved_revision is not null) as has_approved_page,
      exists (select from providers where program_id = ${programId} and kind = 'payout' and status <> 'archived') as has_payout_provider,
      (select count(*) from organization_members as member join programs as program on program.organization_id = member.organization_id
        where program.id = ${programId}) + (select count(*) from program_members where program_id = ${programId})
        + (select count(*) from member_invitations where program_id = ${programId}) > 1 as has_team`.execute(ctx.db);
  const [facts] = rows;
  if (!facts) throw new Error('The facts of the program are missing.');
  return facts;
}
