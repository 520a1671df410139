// TABLE OF CONTENTS: every system that programs can move from.
import { csv } from './csv.ts';
import type { Source } from './source.ts';

export const sources: readonly Source[] = [csv];
