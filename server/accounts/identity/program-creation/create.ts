// Creating a program in the console. It has no API key, and starts without a commission rule: the checklist of its overview
// leads to both.
import { z } from 'zod';
import { transact } from '../../../platform/db/transact.ts';
import { endpoint } from '../../../platform/http/declaration/endpoint.ts';
import { currencyOut, uuid, uuidOut, webAddress } from '../../../platform/http/declaration/fields.ts';
import { nameField } from '../../../platform/http/declaration/person-fields.ts';
import { isCurrency } from '../../../platform/lib/currency.ts';
import { Invalid } from '../../../platform/lib/errors.ts';
import { toNetwork } from '../../../platform/lib/network/ip-address.ts';
import { addProgram } from '../../programs/create.ts';
import { timezoneField } from '../../programs/settings.ts';
import { addMember } from '../members/add-member.ts';
import { type CreatingOrganization, listCreatingOrganizations, lockCreatingRole } from './organizations.ts';

const currency = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, { error: 'must be an ISO 4217 code such as USD' })
  .meta({ json: { type: 'string', minLength: 3, maxLength: 3 } });

const NewProgram = z
  .object({
    organizationId: uuid.optional().describe('One of `programOrganizations` of `GET /app/me`. Can be omitted if there is only one.'),
    name: nameField.describe('The name that affiliates see.'),
    currency: currency.describe('ISO 4217. Every amount of the program is in this currency; it can’t be changed.'),
    timezone: timezoneField.default('UTC'),
    websiteUrl: webAddress.nullable().default(null),
    mode: z.enum(['live', 'test']).default('test').describe('`test` programs go live once they are set up.'),
  })
  .meta({ id: 'NewProgram', example: { name: 'Fern & Field', currency: 'USD', timezone: 'America/New_York' } });

const Created = z.object({ id: uuidOut, name: z.string(), currency: currencyOut, mode: z.enum(['live', 'test']) }).meta({
  id: 'CreatedProgram',
  example: { id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f', name: 'Fern & Field', currency: 'USD', mode: 'test' },
});

export const createUserProgram = endpoint({
  id: 'programs.create',
  route: 'POST /app/programs',
  scope: 'user',
  tag: 'User',
  summary: 'Create a program',
  description:
    'For owners and admins of an organization, who have the same role in the new program. If the organization has no members, the ' +
    'owners of its programs can create others, which they own.',
  body: NewProgram,
  statuses: [201],
  result: Created,
  async handle(ctx, { actor, caller, body: { organizationId, ...fields } }) {
    const origin = { network: toNetwork(caller.ip), requestId: caller.requestId };
    const id = await transact(ctx, async (tx) => {
      const organization = choose(await listCreatingOrganizations(tx, actor.id), organizationId);
      if (!(await lockCreatingRole(tx, actor.id, organization))) throw notPermitted();
      const from = { ...tx, origin };
      const programId = await addProgram(from, { ...fields, organizationId: organization.id }, actor);
      if (organization.ownedProgramId !== null) await addMember(from, { programId, userId: actor.id, role: 'owner', actor });
      return programId;
    });
    return { id, name: fields.name, currency: fields.currency, mode: fields.mode };
  },
});

/** The organization of the new program. Throws Invalid if the user can't create programs in it. */
function choose(organizations: readonly CreatingOrganization[], id: string | undefined): CreatingOrganization {
  const [first, second] = organizations;
  const chosen = id === undefined && second === undefined ? first : organizations.find((each) => each.id === id);
  if (chosen) return chosen;
  throw id === undefined && first ? new Invalid([{ path: ['organizationId'], message: 'is required' }]) : notPermitted();
}

function notPermitted(): Invalid {
  return new Invalid([{ path: ['organizationId'], message: 'must be an organization in which you are an owner or admin' }]);
}
