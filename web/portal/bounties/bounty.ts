import type { Result } from '../../api/call.ts';

/** A bounty as the affiliate sees it. */
export type Bounty = Result<'portal.bounties'>['bounties'][number];
