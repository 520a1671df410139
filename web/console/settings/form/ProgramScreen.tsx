// A screen of the settings that shows fields of the program.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { SettingsSkeleton } from './SettingsForm.tsx';
import type { Program } from './use-program-form.ts';

type Props = { title: string; lede: string; width?: 'wide' | 'reading'; children: (program: Program) => ReactNode };

export function ProgramScreen({ title, lede, width = 'reading', children }: Props) {
  const { t } = useTranslation('settings');
  const { id: programId } = useProgram();
  const read = useRead('programs.get', { path: { programId } });
  return (
    <Page title={title} lede={lede} width={width}>
      <Loaded read={read} what={t('what')} skeleton={<SettingsSkeleton />}>
        {children}
      </Loaded>
    </Page>
  );
}
