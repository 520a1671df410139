// Builds the web apps ahead of the first start, for images and archives: `node scripts/web/prebuild.ts`.
import pino from 'pino';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';

const outcome = await prepareWeb({ log: pino() }).settled;
process.exitCode = outcome.kind === 'ready' ? 0 : 1;
