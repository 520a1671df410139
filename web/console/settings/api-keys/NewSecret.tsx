import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import styles from './api-keys.module.css';

/** A new key, shown once, with a request that tries it. */
export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation('api-keys');
  const request = `curl ${location.origin}/v1/me -H "Authorization: Bearer ${secret}"`;
  return (
    <Stack gap={16}>
      <Text>{t('secret.text')}</Text>
      <section className={styles.secret} aria-label={t('secret.label')}>
        <CopyButton value={secret} isMono />
      </section>
      <Text size="small">{t('secret.try')}</Text>
      <section className={styles.secret} aria-label={t('secret.request')}>
        <CopyButton value={request} isMono />
      </section>
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('secret.done')}
        </Button>
      </div>
    </Stack>
  );
}
