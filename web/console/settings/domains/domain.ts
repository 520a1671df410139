import type { Result } from '../../../api/call.ts';

export type Domain = Result<'domains.list'>['domains'][number];
