import type { Result } from '../../api/call.ts';

export type Postback = Result<'portal.postbacks'>['postbacks'][number];
