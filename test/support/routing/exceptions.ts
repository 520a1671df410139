// TABLE OF CONTENTS: the statements that need not be routed to the node of one program, with the reason (decision 155).
import type { Found } from './record.ts';

type Exception = {
  why: string;
  /** The tables by the file that reads or writes them in such statements; `all` where these are too many to list. */
  files: Record<string, readonly string[] | 'all'>;
};

export const exceptions: readonly Exception[] = [
  {
    why: 'Locks the row of a user, their session, their role in an organization or their second factor: they belong to no program.',
    files: {
      'server/accounts/identity/members/find-member.ts': ['users', 'sessions', 'organization_members'],
      'server/accounts/identity/second-factor/enrol.ts': ['second_factors'],
      'server/accounts/identity/second-factor/record-factor.ts': ['users'],
      'server/accounts/identity/sign-in/request.ts': ['users'],
    },
  },
  {
    why: 'Waits until every write that has started in the program has ended.',
    files: { 'server/accounts/programs/deletion/request.ts': ['programs'] },
  },
  {
    why: 'Finds what is due in all programs, or in each of them if that fails; the job then works on one program at a time.',
    files: {
      'server/accounts/programs/setting-changes/decide.ts': ['setting_changes'],
      'server/earning/commissions/mature.ts': ['commissions'],
      'server/partners/affiliates/totals/figures.ts': ['program_work'],
      'server/partners/applications/delete-unconfirmed.ts': ['applications'],
      'server/views/exports/run-export.ts': ['background_tasks'],
      'server/messaging/alerts/update.ts': ['alerts'],
      'server/messaging/notifications/send.ts': ['notification_readers'],
      'server/operations/alerts/conditions.ts': ['payout_safety', 'payouts', 'payout_events', 'providers', 'emails'],
      'server/paying/payouts/reconcile/reconcile.ts': ['providers'],
      'server/paying/payouts/schedule/run.ts': ['payout_schedules'],
      'server/paying/payouts/send/follow-up.ts': ['payouts', 'payout_batches'],
      'server/promotion/coupons/detect-leaks.ts': ['coupons'],
      'server/stores/commerce/watch-stores.ts': ['providers'],
      'server/stores/inbox/process-events.ts': ['provider_events', 'providers'],
    },
  },
  {
    why: 'Reads the clocks of all programs in test mode, at most once a second in each process.',
    files: { 'server/platform/test-clocks/program-clock.ts': ['test_clocks'] },
  },
  {
    why: 'Compares what is stored in a program with its sources. Its subqueries name the program, but not every join between them.',
    files: {
      'server/operations/verify/invariants.ts': 'all',
    },
  },
];

/** What is wrong with statements that no exception allows. */
export function withoutExceptions(found: readonly Found[]): string[] {
  const isAllowed = ({ file, table }: Found) =>
    exceptions.some(({ files }) => files[file] === 'all' || (files[file] ?? []).includes(table));
  return found
    .filter((one) => !isAllowed(one))
    .map(({ file, line, kind, table, statement }) => `${file}:${line}: ${kind}: ${table}\n${statement}`);
}

/** Exceptions that no statement needs. */
export function findUnused(found: readonly Found[]): string[] {
  const entries = exceptions.flatMap(({ files }) => Object.entries(files));
  return entries.flatMap(([file, tables]) => {
    const own = found.filter((one) => one.file === file);
    if (tables === 'all') return own.length === 0 ? [file] : [];
    return tables.filter((table) => !own.some((one) => one.table === table)).map((table) => `${file}: ${table}`);
  });
}
