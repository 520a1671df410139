// TABLE OF CONTENTS: every system that programs can move from.
import { csv } from './csv.ts';
import { dub } from './dub.ts';
import { firstpromoter } from './firstpromoter.ts';
import { partnerstack } from './partnerstack.ts';
import { rewardful } from './rewardful.ts';
import type { Source } from './source.ts';
import { tapfiliate } from './tapfiliate.ts';

export const sources: readonly Source[] = [csv, rewardful, tapfiliate, firstpromoter, dub, partnerstack];
