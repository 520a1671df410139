import type { Result } from '../../../api/call.ts';

export type PayoutDetail = Result<'payouts.get'>;
