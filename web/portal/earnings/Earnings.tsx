import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/layout/page.tsx';

export function Screen() {
  const { t } = useTranslation('portal');
  return <Page title={t('earningsTitle')} />;
}
