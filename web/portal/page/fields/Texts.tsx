import { useTranslation } from 'react-i18next';
import { TextArea, TextInput } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { useEditor } from '../editor-context.ts';
import { FieldHelp } from './FieldHelp.tsx';

type TextName = 'pageTitle' | 'headline' | 'bioText' | 'promoBadgeText';
/** As in the contract of landing pages. */
const limits: Record<TextName, number> = { pageTitle: 200, headline: 300, bioText: 5000, promoBadgeText: 100 };

/** Title, headline, about, and the offer that the page shows as a badge. */
export function TextSection() {
  const { t } = useTranslation('portal-page');
  const { content, change, errors } = useEditor();
  const field = (name: TextName) => ({
    name,
    label: t(`text.${name}`),
    value: content[name],
    maxLength: limits[name],
    help: <FieldHelp name={name} text={content[name]} maxLength={limits[name]} help={t(`text.${name}Help`)} />,
    error: errors[name],
    onChange: (text: string) => change({ [name]: text }),
  });
  return (
    <Card title={t('text.title')}>
      <Stack gap={20}>
        <TextInput {...field('pageTitle')} />
        <TextInput {...field('headline')} />
        <TextArea {...field('bioText')} rows={5} help={<FieldHelp name="bioText" text={content.bioText} help={t('text.bioTextHelp')} />} />
        <TextInput {...field('promoBadgeText')} />
      </Stack>
    </Card>
  );
}
