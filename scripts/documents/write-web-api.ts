// Generates the types of the API for web/: `node scripts/documents/write-web-api.ts`.
import { join } from 'node:path';
import { writeWebApi } from './web-api.ts';

await writeWebApi(join(import.meta.dirname, '../..'));
