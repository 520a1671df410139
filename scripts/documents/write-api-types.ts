// Generates the types of the API for web/ and sdk/: `node scripts/documents/write-api-types.ts`.
import { join } from 'node:path';
import { writeSdkApi } from './sdk-api.ts';
import { writeWebApi } from './web-api.ts';

const root = join(import.meta.dirname, '../..');
await writeWebApi(root);
await writeSdkApi(root);
