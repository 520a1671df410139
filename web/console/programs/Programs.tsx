// /console: opens the program that was open last; with several and none remembered, all of them.
import { Navigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { WithoutUser } from '../../frame/WithoutUser.tsx';
import { readLastProgram } from '../../session/last-program.ts';
import { useMe } from '../../session/me.ts';
import { ShellSkeleton } from '../shell/ShellSkeleton.tsx';

/** The children show all programs. */
export function Programs({ children }: { children: ReactNode }) {
  const me = useMe();
  const { all } = useSearch({ strict: false }) as { all?: string };
  if (me.data === undefined) return <WithoutUser error={me.error} onRetry={() => void me.refetch()} skeleton={<ShellSkeleton />} />;
  const { programs, programDeletions, programOrganizations, affiliateAccounts } = me.data;
  const only = programs.length === 1 ? programs[0] : undefined;
  const last = programs.find(({ id }) => id === readLastProgram());
  const target = all === undefined ? (last ?? only) : undefined;
  const isMember = programs.length + programDeletions.length + programOrganizations.length > 0;
  if (!isMember && affiliateAccounts.length > 0) return <LeaveForPortal />;
  if (target) return <Navigate to="/$programId" params={{ programId: target.id }} replace />;
  return <Suspense fallback={<ShellSkeleton />}>{children}</Suspense>;
}

/** A user who is only an affiliate has nothing to do here. */
function LeaveForPortal() {
  useEffect(() => location.replace('/portal'), []);
  return <ShellSkeleton />;
}
