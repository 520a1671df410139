// Loaded before a program with `--import`: writes each package that the program loads into the file PACKAGES_FILE.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const seen = new Set<string>();

registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      appendFileSync(process.env.PACKAGES_FILE ?? '', `${name}\n`);
    }
    return next(url, context);
  },
});
