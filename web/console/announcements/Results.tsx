// What became of the emails of an announcement.
import { useTranslation } from 'react-i18next';
import { Count } from '../../ui/figures/count.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import type { Announcement } from './announcement-values.ts';

const always = ['queued', 'sent', 'optedOut', 'failed'] as const;
const exceptional = ['cancelled', 'stored'] as const;

export function Results({ results }: Pick<Announcement, 'results'>) {
  const { t } = useTranslation('announcements');
  const shown = [...always, ...exceptional.filter((outcome) => results[outcome] > 0)];
  return (
    <Facts columns={3} rows={shown.map((outcome) => ({ label: t(`result.${outcome}`), value: <Count value={results[outcome]} /> }))} />
  );
}
