// `npm run bench -- NAME`: what speed is promised, shown as a ratio to a limit measured in the same run.
// Exits 1 when a promise is missed.
import { benchList } from './list.ts';

const benchmarks: Record<string, { about: string; run: (args: string[]) => Promise<boolean> }> = {
  list: { about: 'the list of affiliates, 1,000,000 in one program beside 1,000 small ones (--rows N for fewer)', run: benchList },
};

const [name = '', ...args] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark) {
  process.exitCode = (await benchmark.run(args)) ? 0 : 1;
} else {
  for (const [known, { about }] of Object.entries(benchmarks)) console.log(`  ${known.padEnd(10)} ${about}`);
  process.exitCode = name === '' ? 0 : 1;
}
