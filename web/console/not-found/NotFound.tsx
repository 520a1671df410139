import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** The page of an unknown address. */
export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <section>
      <h1>{t('notFoundTitle')}</h1>
      <p>{t('notFoundText')}</p>
      <Link to="/">{t('notFoundBack')}</Link>
    </section>
  );
}
