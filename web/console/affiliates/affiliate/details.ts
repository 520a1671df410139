import type { Read } from '../../../api/queries.ts';

export type Details = NonNullable<Read<'affiliates.get'>['data']>;
export type Summary = NonNullable<Read<'affiliateTable.summary'>['data']>;
