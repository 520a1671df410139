import { z } from 'zod';
import type { Context } from '../../../../context.ts';
import type { Slot } from '../../../../platform/http/declaration/endpoint.ts';
import { emailKey } from '../../../../platform/lib/email-address.ts';

/** A domain as the comparison form of email addresses has it; null for something else. */
export function toDomain(text: string): string | null {
  return emailKey(`x@${text.trim()}`)?.slice(2) ?? null;
}

/** The domain of the comparison form of an email address. */
export const domainOf = (key: string): string => key.slice(key.lastIndexOf('@') + 1);

export const DomainField = z
  .string()
  .max(253)
  .transform((text) => toDomain(text) ?? '')
  .refine((domain) => domain !== '', { error: 'must be a domain such as example.com' })
  .meta({ json: { type: 'string', maxLength: 253 } })
  .describe('The part of email addresses after the @.');

/** A domain of the organization of a program. */
export const domainSlot: Slot = {
  schema: z.string().max(253),
  meaning: 'The domain.',
  example: 'fernandfield.example',
  exists: async ({ db }: Context, programId, domain) => {
    const found = db
      .selectFrom('singleSignOnDomains as domain')
      .innerJoin('programs', 'programs.organizationId', 'domain.organizationId')
      .select('domain.domain')
      .where('programs.id', '=', programId)
      .where('domain.domain', '=', domain);
    return (await found.executeTakeFirst()) !== undefined;
  },
};
