// The affiliate's custom link. Availability is checked while typing; saving can still fail if someone else took it.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Row, Text } from '../../ui/layout/stack.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';

const pauseMs = 300;

export function SlugCard({ current, codeUrl }: { current: string | null; codeUrl: string }) {
  const { t } = useTranslation('portal-links');
  const { programId } = useAccount();
  const form = useForm({ vanitySlug: current ?? '' });
  const typed = usePause(form.values.vanitySlug.trim());
  const isNew = typed !== '' && typed !== current;
  const check = useRead('portal.slugCheck', { path: { programId }, query: { slug: typed || 'x' } }, { enabled: isNew });
  const save = useAction('portal.setSlug', { invalidates: ['portal.links', 'portal.home'] });
  const found = isNew && check.data?.slug === typed.toLowerCase() ? check.data : undefined;
  const set = (vanitySlug: string | null) =>
    save.mutate(
      { path: { programId }, body: { vanitySlug } },
      {
        onSuccess: () => showToast(t(vanitySlug === null ? 'slug.removed' : 'slug.saved')),
        onError: ({ code, message, details }) =>
          form.setProblem(
            code === 'slug_taken' ? { message, details: [{ path: ['vanitySlug'], message: t('slug.taken') }] } : { message, details },
          ),
      },
    );
  const field = form.field('vanitySlug');
  const error = field.error ?? (found?.reason ? t(`slug.${found.reason}`) : undefined);
  const help = found?.url ? t('slug.free', { url: found.url.replace(/^https?:\/\//, '') }) : t('slug.help');
  return (
    <Card title={t('slug.title')}>
      <Form
        form={form}
        onSubmit={() => set(form.values.vanitySlug.trim() || null)}
        buttons={
          <Row gap={8}>
            <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!form.hasChanges}>
              {t('slug.save')}
            </Button>
            {current === null ? null : <Button onClick={() => set(null)}>{t('slug.remove')}</Button>}
          </Row>
        }
      >
        <TextInput {...field} error={error} label={t('slug.label')} help={<span aria-live="polite">{help}</span>} maxLength={64} />
        <Text size="small" tone="ink-3">
          {t('slug.code', { url: codeUrl.replace(/^https?:\/\//, '') })}
        </Text>
      </Form>
    </Card>
  );
}

/** The value once it has not changed for a moment. */
function usePause(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
