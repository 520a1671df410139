// Which pages may embed the portal and the widget, and the code that does it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { CodeBlock } from '../../../ui/marks/code-block.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { toEntries } from '../form/changed-fields.ts';
import { ProgramScreen } from '../form/ProgramScreen.tsx';
import { FieldCard, SettingsForm } from '../form/SettingsForm.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';
import { type EmbedKind, pageCode, serverCode } from './snippets.ts';

type Values = { embedOrigins: string };

export function Screen() {
  const { t } = useTranslation('embeds');
  return (
    <ProgramScreen title={t('title')} lede={t('lede')}>
      {(program) => (
        <Stack gap={20}>
          <Origins program={program} />
          <Code origin={program.embedOrigins[0]} />
        </Stack>
      )}
    </ProgramScreen>
  );
}

function Origins({ program }: { program: Program }) {
  const { t } = useTranslation('embeds');
  const texts = { labels: { embedOrigins: t('origins') }, show: () => undefined };
  const { form, save, isBusy, stale } = useProgramForm(program, { toValues, toUpdate, texts });
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={isBusy} stale={stale}>
      <FieldCard title={t('allowed')}>
        <TextArea {...form.field('embedOrigins')} label={t('origins')} help={t('originsHelp')} rows={3} />
      </FieldCard>
    </SettingsForm>
  );
}

const kinds: readonly EmbedKind[] = ['portal', 'widget'];

/** The code for the first allowed origin. Without one, nothing could open. */
function Code({ origin }: { origin: string | undefined }) {
  const { t } = useTranslation('embeds');
  const [kind, setKind] = useState<EmbedKind>('portal');
  if (origin === undefined)
    return (
      <Card title={t('code.title')}>
        <EmptyState sample={null} title={t('code.emptyTitle')} text={t('code.emptyText')} />
      </Card>
    );
  return (
    <Card title={t('code.title')}>
      <Stack gap={16}>
        <Segments label={t('code.kind')} tabs={kinds.map((id) => ({ id, label: t(`code.kinds.${id}`) }))} value={kind} onChange={setKind} />
        <Text>{t(`code.about.${kind}`)}</Text>
        <CodeBlock label={t('code.server')} code={serverCode(kind, { origin, service: location.origin })} />
        <CodeBlock label={t('code.page')} code={pageCode(kind, location.origin)} />
        <Text size="small">{t('code.token')}</Text>
      </Stack>
    </Card>
  );
}

function toValues({ embedOrigins }: Program): Values {
  return { embedOrigins: embedOrigins.join('\n') };
}

function toUpdate({ embedOrigins }: Values) {
  return { embedOrigins: toEntries(embedOrigins) };
}
