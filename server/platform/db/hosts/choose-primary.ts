// Which of several hosts is written to: the primary of one database, whose other hosts are its standbys.

export type HostState = { address: string } & (
  | {
      kind: 'primary' | 'standby';
      /** The same on a primary and its standbys. */
      databaseId: string;
    }
  | { kind: 'unreachable'; reason: string }
);

export type Choice = { address: string } | { fault: string };

/**
 * The address of the only primary, or why none is used. A `current` primary that can't be reached is kept while no other
 * host has taken over: if it is gone, its connections fail anyway, and a slow response must not close those that work.
 */
export function choosePrimary(states: readonly HostState[], current: string | null): Choice {
  const reached = states.filter((state) => state.kind !== 'unreachable');
  if (new Set(reached.map(({ databaseId }) => databaseId)).size > 1) return { fault: 'The hosts have different databases.' };
  const primaries = reached.filter(({ kind }) => kind === 'primary');
  const [primary] = primaries;
  if (primaries.length > 1) return { fault: 'More than one host of the database is a primary.' };
  if (primary) return { address: primary.address };
  const isLost = states.some(({ address, kind }) => address === current && kind === 'unreachable');
  return isLost && current !== null ? { address: current } : { fault: 'No host of the database is a primary.' };
}

/** "one:5432 is a standby; two:5432 can't be reached (connect ECONNREFUSED)" */
export function describeHosts(states: readonly HostState[]): string {
  return states
    .map((state) => {
      if (state.kind === 'unreachable') return `${state.address} can't be reached (${state.reason})`;
      return `${state.address} is a ${state.kind} of database ${state.databaseId}`;
    })
    .join('; ');
}
