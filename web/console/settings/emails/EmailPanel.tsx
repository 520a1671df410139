// One email: its text, where the program can edit it, and its preview.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { EditablePanel } from './EditablePanel.tsx';
import { Preview } from './Preview.tsx';
import type { EmailId, Locale } from './preview-types.ts';

type Props = { email: EmailId /** Changes with the brand. */; version: number; onChanged: (hasChanges: boolean) => void };

export function EmailPanel({ email, version, onChanged }: Props) {
  const { t, i18n } = useTranslation('emails');
  const { id: programId } = useProgram();
  const [locale, setLocale] = useState<Locale>(i18n.language === 'de' ? 'de' : 'en');
  const settings = useRead('emailSettings.get', { path: { programId } });
  const shown = { email, locale, onLocale: setLocale };
  return (
    <Loaded
      read={settings}
      what={t('text.what')}
      skeleton={
        <Card title={t(`email.${email}`)}>
          <SkeletonText lines={8} />
        </Card>
      }
    >
      {({ emails }) => {
        const setting = emails.find((one) => one.email === email);
        return (
          <Stack gap={24}>
            {setting ? (
              <EditablePanel {...shown} setting={setting} version={version} onChanged={onChanged} />
            ) : (
              <Preview {...shown} version={String(version)} remark={t('text.fixed')} />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
