import type { Result } from '../../../api/call.ts';

export type Checked = Result<'affiliates.import'>;
