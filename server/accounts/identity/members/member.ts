// Members of a program: users with a role in it, in its organization, or in both.
import { z } from 'zod';
import type { DeclaredError } from '../../../platform/http/declaration/endpoint.ts';
import { timestampOut, uuidOut } from '../../../platform/http/declaration/fields.ts';
import { roles } from '../roles.ts';

export const RoleField = z.enum(roles);

export const MemberShape = z
  .object({
    userId: uuidOut,
    name: z.string(),
    email: z.string(),
    role: RoleField.describe('The strongest role of the member.'),
    programRole: RoleField.nullable().describe('The role in this program.'),
    organizationRole: RoleField.nullable().describe('The role in all programs of the organization; changed with `scope: organization`.'),
    status: z.enum(['active', 'disabled']),
    isYou: z.boolean(),
    lastActiveAt: timestampOut.nullable().describe('The last request of any session; updated at most once a minute.'),
    approvesFrom: timestampOut
      .nullable()
      .describe('From when the member can approve what others requested; null if they already can, or their role permits no approvals.'),
    paysFrom: timestampOut
      .nullable()
      .describe('From when the second factor of the member counts for money; null if it does, or their role does not handle payouts.'),
    canChangeOrganizationRole: z.boolean().describe('Whether you can change or remove the role in the organization.'),
    canConfirm: z.boolean().describe('Whether you can confirm the member, which ends these waiting times.'),
    createdAt: timestampOut.describe('When the user became a member.'),
  })
  .meta({
    id: 'Member',
    example: {
      userId: '01980a4c-22bb-7c1d-8e2f-3a4b5c6d7e8f',
      name: 'Dana Calder',
      email: 'dana@fernandfield.example',
      role: 'owner',
      programRole: 'owner',
      organizationRole: null,
      status: 'active',
      isYou: true,
      lastActiveAt: '2026-11-21T10:00:00.000Z',
      approvesFrom: null,
      paysFrom: null,
      canChangeOrganizationRole: false,
      canConfirm: false,
      createdAt: '2026-03-02T09:12:44.000Z',
    },
  });

export type Member = z.output<typeof MemberShape>;

export const lastOwner: DeclaredError = {
  status: 400,
  code: 'last_owner',
  when: 'The program would have no owner. Make another member an owner first.',
};

export const organizationRole: DeclaredError = {
  status: 400,
  code: 'organization_role',
  when: 'The member has a role in the organization only, which needs `scope: organization` and an owner or admin of the organization.',
};

export const programRole: DeclaredError = {
  status: 400,
  code: 'program_role',
  when: 'With `scope: organization`: the member has a role in this program only.',
};
