// Who would move now with settings that are not saved. Nothing is moved.
import { z } from 'zod';
import { getProgram } from '../../../accounts/programs/program.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { countOut, currencyOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { findGroupReferences, GroupReference } from '../../affiliates/group-reference.ts';
import { AffiliateReference, findAffiliateReferences } from '../../affiliates/reference.ts';
import { applyChange, GroupMovesChange, groupNotFound, readGroupMoves } from './group-moves.ts';
import { planMoves } from './plan-moves.ts';

const maxPreviewed = 100;
const affiliateExample = '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f';
const groupExample = '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f';

const Move = z.object({
  affiliateId: uuidOut,
  affiliate: AffiliateReference,
  fromGroupId: uuidOut.nullable().describe('Null: the affiliate is in no group.'),
  fromGroup: GroupReference.nullable().describe('The group that the affiliate would leave.'),
  toGroupId: uuidOut.nullable().describe('Null: the affiliate would be in no group.'),
  toGroup: GroupReference.nullable().describe('The group of the volume.'),
  volume: countOut.describe('What the affiliate reached: orders, or cents.'),
});

const Preview = z
  .object({
    total: countOut.describe('How many affiliates would move.'),
    keptCount: countOut.describe(
      'How many affiliates have less than the volume of their group, but keep it: affiliates don’t move down, a person chose the ' +
        'group, or they reached it less than `keepDays` ago.',
    ),
    currency: currencyOut,
    moves: z.array(Move).describe(`Those with the highest volume, up to ${maxPreviewed}.`),
  })
  .meta({
    id: 'GroupMovesPreview',
    example: {
      total: 1,
      keptCount: 0,
      currency: 'USD',
      moves: [
        {
          affiliateId: affiliateExample,
          affiliate: {
            id: affiliateExample,
            name: 'Ada Lindqvist',
            email: 'ada@example.com',
            referralCode: 'K7M2QX9P',
            linkUrl: 'https://affiliates.example.com/r/K7M2QX9P',
          },
          fromGroupId: null,
          fromGroup: null,
          toGroupId: groupExample,
          toGroup: { id: groupExample, name: 'Gold' },
          volume: 52,
        },
      ],
    },
  });

export const previewGroupMoves = endpoint({
  id: 'groupMoves.preview',
  route: 'POST /v1/programs/:programId/group-moves/preview',
  scope: 'read',
  tag: 'Groups',
  summary: 'Preview which affiliates would move',
  description: 'Who would move now with these settings; omitted fields are the saved ones. `isEnabled` has no effect. Nothing is moved.',
  body: GroupMovesChange,
  statuses: [200],
  result: Preview,
  errors: [groupNotFound],
  async handle(ctx, { actor: { programId, currency }, body: { isEnabled: _, ...change } }) {
    const { settings: stored } = await readGroupMoves(ctx, programId);
    const settings = await applyChange(ctx, { programId, stored: { ...stored, isEnabled: false } }, change);
    const { timezone } = await getProgram(ctx, programId);
    const { moves, count, keptCount } = await planMoves(ctx, settings, { programId, timezone, limit: maxPreviewed });
    const affiliateIds = moves.map(({ affiliateId }) => affiliateId);
    const groupIds = new Set(moves.flatMap(({ from, to }) => [from, to]).filter((id) => id !== null));
    const [affiliates, groups] = await Promise.all([
      findAffiliateReferences(ctx, programId, affiliateIds),
      findGroupReferences(ctx, programId, [...groupIds]),
    ]);
    const groupOf = (id: string | null) => groups.get(id ?? '') ?? null;
    const rows = moves.flatMap(({ affiliateId, from, to, volume }) => {
      const affiliate = affiliates.get(affiliateId);
      if (!affiliate) return [];
      return [{ affiliateId, affiliate, fromGroupId: from, fromGroup: groupOf(from), toGroupId: to, toGroup: groupOf(to), volume }];
    });
    return { total: count, keptCount, currency, moves: rows };
  },
});
