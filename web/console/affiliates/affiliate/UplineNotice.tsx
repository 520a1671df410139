// Shown while an affiliate's upline earns nothing, because no commission rule of the second level is for them.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Link } from '../../../ui/layout/link.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import type { Details } from './details.ts';

export function UplineNotice({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { href } = useProgram();
  if (!affiliate.warnings.some(({ code }) => code === 'upline_earns_nothing')) return null;
  return (
    <Notice icon="warning" tone="held" title={t('upline.earnsNothingTitle', { name: affiliate.parentAffiliate?.name ?? '' })}>
      {t('upline.earnsNothing')} <Link href={href('rules')}>{t('upline.openRules')}</Link>
    </Notice>
  );
}
