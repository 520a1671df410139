import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Row, Stack, Text } from '../ui/layout/stack.tsx';
import { showToast } from '../ui/overlay/toasts.tsx';
import styles from './security.module.css';

type Props = { codes: readonly string[]; onDone: () => void };

/** The only time that the codes are shown: to copy, or to download. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const { t } = useTranslation('security');
  const text = `Tributary\n\n${codes.join('\n')}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    showToast(t('recovery.copied'));
  };
  return (
    <Stack gap={20}>
      <Text>{t('recovery.text')}</Text>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Row>
        <Button icon="copy" onClick={() => void copy()}>
          {t('recovery.copy')}
        </Button>
        <ButtonLink icon="download" href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} isDownload>
          {t('recovery.download')}
        </ButtonLink>
      </Row>
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('recovery.done')}
        </Button>
      </div>
    </Stack>
  );
}
