import type { Result } from '../../../api/call.ts';

export type Discrepancy = Result<'payoutDiscrepancies.list'>['discrepancies'][number];
