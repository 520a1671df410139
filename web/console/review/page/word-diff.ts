// The words that differ between two texts. Pure: the longest common sequence of words, with equal starts and ends set aside.

export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string };

/** Beyond this many comparisons, everything between the equal start and end counts as replaced. */
const maxCells = 4_000_000;

/** What turns `before` into `after`, in order; removed words come before those that replace them. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [old, fresh] = [toWords(before), toWords(after)];
  const start = countEqual(old, fresh);
  const [oldRest, freshRest] = [old.slice(start), fresh.slice(start)];
  const end = countEqual([...oldRest].reverse(), [...freshRest].reverse());
  const middle = diffMiddle(oldRest.slice(0, oldRest.length - end), freshRest.slice(0, freshRest.length - end));
  const same = (words: readonly string[]) => words.map((text): DiffPart => ({ kind: 'same', text }));
  return mergeParts([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

/** Words and the spaces between them, so that the parts add up to the texts. */
function toWords(text: string): string[] {
  return text.match(/\S+|\s+/g) ?? [];
}

function countEqual(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

function diffMiddle(old: readonly string[], fresh: readonly string[]): DiffPart[] {
  if (old.length * fresh.length > maxCells) {
    return [...old.map((text) => part('removed', text)), ...fresh.map((text) => part('added', text))];
  }
  const lengths = commonLengths(old, fresh);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [removed, added] = [old[i], fresh[j]];
    if (removed !== undefined && removed === added) {
      parts.push(part('same', removed));
      i += 1;
      j += 1;
    } else if (removed !== undefined && (added === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      parts.push(part('removed', removed));
      i += 1;
    } else if (added !== undefined) {
      parts.push(part('added', added));
      j += 1;
    }
  }
  return parts;
}

const part = (kind: DiffPart['kind'], text: string): DiffPart => ({ kind, text });
const at = (lengths: readonly Uint16Array[], i: number, j: number) => lengths[i]?.[j] ?? 0;

/** The length of the longest common sequence of the words from each pair of positions on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    if (!row) continue;
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === fresh[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

/**
 * Between two unchanged words, all removed words become one part, and then all added ones; spaces between replaced words belong
 * to both.
 */
function mergeParts(parts: readonly DiffPart[]): DiffPart[] {
  const merged: DiffPart[] = [];
  let run = { same: '', removed: '', added: '' };
  let space = '';
  const flush = () => {
    for (const kind of ['removed', 'added', 'same'] as const) if (run[kind] !== '') merged.push(part(kind, run[kind]));
    run = { same: '', removed: '', added: '' };
  };
  for (const { kind, text } of parts) {
    const isReplacing = run.removed !== '' && run.added !== '';
    if (kind === 'same' && isReplacing && space === '' && text.trim() === '') {
      space = text;
    } else if (kind === 'same') {
      if (run.same === '') flush();
      run = { ...run, same: run.same + space + text };
      space = '';
    } else {
      if (run.same !== '') flush();
      run = { ...run, removed: run.removed + space, added: run.added + space };
      run = { ...run, [kind]: run[kind] + text };
      space = '';
    }
  }
  run = { ...run, same: run.same + space };
  flush();
  return merged;
}
