// Updating an affiliate: the accepted fields, and the response of the contract (§2.3).
import { z } from 'zod';
import { outdatedError, readVersion } from '../../accounts/programs/version.ts';
import { endpoint, Reply } from '../../platform/http/declaration/endpoint.ts';
import { uuid, uuidOut } from '../../platform/http/declaration/fields.ts';
import { emailField, lastNameField, nameField } from '../../platform/http/declaration/person-fields.ts';
import { isReservedSlug, vanitySlugForm } from '../../platform/lib/slug.ts';
import { AffiliateStatus, affiliateSlot, emailTaken, externalIdTaken, unknownGroupOrUpline } from './affiliate.ts';
import { changeAffiliate } from './change-affiliate.ts';
import { expandAffiliate, expandDetails, expandedDetails } from './expand/affiliate-details.ts';
import { findOverrideFault, OverrideType } from './override.ts';
import { profileInput } from './profile.ts';
import { warnOfUpline } from './upline.ts';

export const vanitySlugField = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => vanitySlugForm.test(text), { error: 'must be 3 to 64 letters a–z, numbers and inner hyphens' })
  .refine((text) => !isReservedSlug(text), { error: 'is a reserved word' })
  .meta({ json: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$' } });

const Update = z
  .object({
    status: AffiliateStatus.optional().describe('Setting `active` approves the affiliate and emails them.'),
    groupId: uuid.nullable().optional(),
    parentAffiliateId: uuid.nullable().optional(),
    commissionOverrideType: OverrideType.nullable().optional().describe('Must be sent together with the rate; null clears both.'),
    commissionOverrideRate: z
      .number()
      .nullable()
      .optional()
      .describe(
        'For `percentage`: 0 to 100 with up to 4 decimals. For `flat`: an integer amount in cents (500 is $5.00 per order). Has no ' +
          'effect without a type.',
      ),
    vanitySlug: vanitySlugField
      .nullable()
      .optional()
      .describe('Custom short-link slug; null releases it. A released slug redirects to the affiliate until another affiliate takes it.'),
    firstName: nameField.optional(),
    lastName: lastNameField.optional().describe('Empty for people without one.'),
    email: emailField.optional().describe('Unique in the program, ignoring case.'),
  })
  .extend(profileInput)
  .superRefine((body, check) => {
    const fault = findOverrideFault(body);
    if (fault) check.addIssue({ code: 'custom', ...fault });
  })
  .meta({ id: 'AffiliateUpdate', example: { status: 'active' } });

const UpdatedAffiliate = z
  .object({
    ...expandedDetails,
    id: uuidOut,
    status: AffiliateStatus,
    groupId: uuidOut.nullable(),
    parentAffiliateId: uuidOut.nullable(),
    vanitySlug: z.string().nullable(),
    commissionOverrideType: OverrideType.nullable(),
    commissionOverrideRate: z.number().nullable(),
  })
  .meta({
    id: 'UpdatedAffiliate',
    example: {
      id: '01980a51-4b8e-7c3e-9f61-2b7f1c3d4e5f',
      status: 'active',
      groupId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      parentAffiliateId: null,
      vanitySlug: 'ada',
      commissionOverrideType: 'percentage',
      commissionOverrideRate: 12.5,
    },
  });

export const updateAffiliate = endpoint({
  id: 'affiliates.update',
  route: 'PATCH /v1/programs/:programId/affiliates/:id',
  scope: 'write',
  requires: 'affiliates.write',
  tag: 'Affiliates',
  summary: 'Update an affiliate',
  description:
    'Omitted fields keep their value; `null` clears a nullable field. A commission rule of a product takes precedence over an override. ' +
    'An upline earns by rules of level 2: if none applies to them, the header `Tributary-Warning` says so. ' +
    'With the `version` of the affiliate in an `If-Match` header, a change that was made in the meantime is not overwritten.',
  path: { id: affiliateSlot },
  query: expandDetails,
  body: Update,
  statuses: [200],
  warns: true,
  result: UpdatedAffiliate,
  errors: [
    unknownGroupOrUpline,
    { status: 409, code: 'slug_taken', when: 'The vanity slug is already in use in the program.' },
    emailTaken,
    externalIdTaken,
    outdatedError('stale_affiliate', 'affiliate'),
  ],
  async handle(tx, { actor, caller, params: { id }, body, query: { expand } }) {
    const { status, groupId, parentAffiliateId, vanitySlug, ...row } = await changeAffiliate(
      tx,
      actor,
      { ...body, id },
      { seenVersion: readVersion(caller.headers['if-match']) },
    );
    const details = await expandAffiliate(tx, actor, { id, expand });
    const headers = await warnOfUpline(tx, actor.programId, { id, parentAffiliateId: body.parentAffiliateId });
    const updated = {
      ...details,
      id,
      status: AffiliateStatus.parse(status),
      groupId,
      parentAffiliateId,
      vanitySlug,
      commissionOverrideType: OverrideType.nullable().parse(row.commissionOverrideType),
      commissionOverrideRate: row.commissionOverrideRate === null ? null : Number(row.commissionOverrideRate),
    };
    return new Reply(200, updated, headers);
  },
});
