import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';

/** A secret, shown once. */
export function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation('webhooks');
  return (
    <Stack gap={16}>
      <Text>{t('secret.text')}</Text>
      <div>
        <CopyButton value={secret} isMono />
      </div>
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('secret.done')}
        </Button>
      </div>
    </Stack>
  );
}
