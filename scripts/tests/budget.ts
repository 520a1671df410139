// How long a run of the tests may take, and how much of that it used. CONTRIBUTING.md states the same times.
import { readFileSync } from 'node:fs';

/** Minutes on a machine with two processors and nothing else to do. */
export const promisedMinutes = { everything: 10, fast: 5 };

const processors = 2;
/** Of `/proc/self/stat`: processor time of ended children in user and system mode, in hundredths of a second. */
const [userField, systemField, ticksPerSecond] = [15, 16, 100];

export type Duration = { seconds: number; processorSeconds: number | null };

export type Verdict = {
  /** Printed at the end of a run. */
  text: string;
  /** It took longer than promised: a reason to look, because the machine may have had other work. */
  isLate: boolean;
  /** It used more processor time than two processors have in that time, so they can't keep the promise. */
  isOverBudget: boolean;
};

/** Compares a run with its promise. */
export function judgeDuration({ seconds, processorSeconds }: Duration, minutes: number): Verdict {
  const promised = minutes * 60;
  const budget = promised * processors;
  const used = processorSeconds === null ? '' : `, ${processorSeconds.toFixed(0)} of ${budget} s of processor time`;
  return {
    text: `${seconds.toFixed(0)} of ${promised} s${used}`,
    isLate: seconds > promised,
    isOverBudget: processorSeconds !== null && processorSeconds > budget,
  };
}

/** Processor time of the processes that this one started and that have ended; null where the system doesn't say (not Linux). */
export function readProcessorSeconds(): number | null {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name, in brackets, may contain spaces; the field behind it is the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[userField - 2]) + Number(fields[systemField - 2])) / ticksPerSecond;
  } catch {
    return null;
  }
}
