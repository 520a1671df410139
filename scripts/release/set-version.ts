// Copies the version of package.json to everything that is released with it: the client, the Helm chart and the image.
import { readFileSync, writeFileSync } from 'node:fs';
import { versionPlaces } from './versions.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
for (const { file, pattern } of versionPlaces) {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(pattern, (_, before: string) => `${before}${version}`),
  );
}
