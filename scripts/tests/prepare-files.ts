// Makes what many test files need: the web apps and the browser. On a clean clone, each file that starts first would make them,
// all at the same time. Run by scripts/test.ts before the tests, while the types are checked.
import pino from 'pino';
import { prepareWeb } from '../../server/platform/http/web/prepare.ts';
import { unpackBrowser } from '../../test/support/browser.ts';

const web = prepareWeb({ log: pino({ level: 'silent' }) });
// What fails here fails in the tests that need it, with their name.
await Promise.allSettled([web.settled, process.env.BROWSER ? null : unpackBrowser()]);
