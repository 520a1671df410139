// Approving an affiliate: at once, or with the group for an application to a program that has groups.
import { type ReactNode, useState } from 'react';
import { onDemand } from '../../../ui/overlay/on-demand.tsx';
import { useGroups } from '../use-groups.ts';
import type { Applicant } from './ApproveSheet.tsx';

const ApproveSheet = onDemand(async () => (await import('./ApproveSheet.tsx')).ApproveSheet);

/** Undefined: the affiliate stays in their group. */
type Approve = (applicant: Applicant, groupId: string | null | undefined) => void;

/** How to approve, and the sheet that asks for the group. `isNeeded`: an application may be approved here. */
export function useApprove(approve: Approve, isNeeded: boolean): { ask: (applicant: Applicant) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<Applicant | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const groups = useGroups(isNeeded);
  const hasGroups = groups.data === undefined ? groups.isPending : groups.data.groups.length > 0;
  const ask = (applicant: Applicant) => {
    if (applicant.status !== 'pending' || !hasGroups) return approve(applicant, undefined);
    setAsked(applicant);
    setIsOpen(true);
  };
  if (asked === null) return { ask, dialog: null };
  const submit = (groupId: string | null) => {
    setIsOpen(false);
    approve(asked, groupId === (asked.group?.id ?? null) ? undefined : groupId);
  };
  const sheet = <ApproveSheet key={asked.id} applicant={asked} isOpen={isOpen} onClose={() => setIsOpen(false)} onApprove={submit} />;
  return { ask, dialog: sheet };
}
