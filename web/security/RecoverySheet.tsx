import { useTranslation } from 'react-i18next';
import { Sheet } from '../ui/overlay/sheet.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Props = { isOpen: boolean; onClose: () => void; codes: readonly string[] };

/** New recovery codes, which replaced the previous ones. */
export function RecoverySheet({ isOpen, onClose, codes }: Props) {
  const { t } = useTranslation('security');
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('recovery.title')} detail={t('recovery.replaced')}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Sheet>
  );
}
