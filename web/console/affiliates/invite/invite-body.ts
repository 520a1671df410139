import type { Row } from './addresses.ts';

export const maxPeople = 200;

export type InviteValues = {
  addresses: string;
  people: readonly Row[];
  groupId: string | null;
  parentAffiliateId: string | null;
  autoApprove: boolean;
  message: string;
};

/** What the request contains; the preview sends the same as a dry run. */
export function toBody({ people, groupId, parentAffiliateId, autoApprove, message }: InviteValues) {
  const affiliates = people.slice(0, maxPeople).map(({ email, firstName, lastName }) => ({ email, firstName, lastName }));
  return { affiliates, groupId, parentAffiliateId, autoApprove, message: message.trim() || null };
}
