const width = 24;

/** "Reading 1,200 of 5,000 ██████░░░░░░" */
export function formatProgress(count: number, total: number | null): string {
  const counted = `Reading ${count.toLocaleString('en')}`;
  if (total === null || total === 0) return counted;
  const filled = Math.min(width, Math.round((count / total) * width));
  return `${counted} of ${total.toLocaleString('en')} ${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}
