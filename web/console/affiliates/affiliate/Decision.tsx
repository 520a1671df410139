// Approve, reject, suspend or archive: applied immediately, the email follows a minute later, and until then ⌘Z undoes both.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useApprove } from '../decision/use-approve.tsx';
import type { Details } from './details.ts';

type Kind = 'approve' | 'reject' | 'suspend' | 'archive';

const affected = ['affiliates.get', 'affiliateTable.summary', 'affiliateTable.activity', 'affiliateTable.list', 'overview.get'] as const;

/** How to decide, and the sheet that asks for the reason. Approving an application asks for its group. */
export function useDecision(affiliate: Details): { ask: (kind: Kind) => void; dialog: ReactNode } {
  const [asking, setAsking] = useState<Exclude<Kind, 'approve'> | null>(null);
  const decide = useDecide(affiliate);
  const { can } = useProgram();
  const isApplication = affiliate.status === 'pending' && can('affiliates.write');
  const approval = useApprove((_, groupId) => decide('approve', { groupId }, () => {}), isApplication);
  const { id, status, group } = affiliate;
  return {
    ask: (kind) => (kind === 'approve' ? approval.ask({ id, name: fullName(affiliate), status, group }) : setAsking(kind)),
    dialog: (
      <>
        {approval.dialog}
        {asking === null ? null : <ReasonSheet kind={asking} affiliate={affiliate} decide={decide} onClose={() => setAsking(null)} />}
      </>
    ),
  };
}

type Terms = { note?: string | null; sendEmail?: boolean; groupId?: string | null | undefined };
type Decide = (kind: Kind, terms: Terms, onDone: () => void) => void;

function useDecide(affiliate: Details): Decide {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const action = useAction('affiliates.decide', { invalidates: affected });
  const undo = useAction('affiliateChangeSets.undo', { invalidates: affected });
  const name = fullName(affiliate);
  return (decision, terms, onDone) =>
    action.mutate(
      { path: { programId, id: affiliate.id }, body: { decision, ...terms } },
      {
        onError: (error) => showToast(error.message, { tone: 'error' }),
        onSuccess: ({ changeSetId }) => {
          onDone();
          showToast(t(`decision.done.${decision}`, { name }), {
            onUndo: () =>
              undo.mutate(
                { path: { programId, id: changeSetId } },
                {
                  onSuccess: () => showToast(t('decision.undone', { name }), { icon: 'undo' }),
                  onError: (error) => showToast(error.message, { tone: 'error' }),
                },
              ),
          });
        },
      },
    );
}

type ReasonProps = { kind: Exclude<Kind, 'approve'>; affiliate: Details; decide: Decide; onClose: () => void };

function ReasonSheet({ kind, affiliate, decide, onClose }: ReasonProps) {
  const { t } = useTranslation('affiliate');
  const form = useForm({ note: '', sendEmail: true });
  const name = fullName(affiliate);
  const submit = () => decide(kind, { note: form.values.note.trim() || null, sendEmail: form.values.sendEmail }, onClose);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(`decision.title.${kind}`, { name })}
      detail={t(`decision.effect.${kind}`)}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form="decision">
            {t(`decision.action.${kind}`, { name: affiliate.firstName })}
          </Button>
        </>
      }
    >
      <Form form={form} id="decision" onSubmit={submit}>
        <TextArea
          label={t('decision.note')}
          help={t(kind === 'archive' ? 'decision.noteInternal' : 'decision.noteHelp')}
          maxLength={1000}
          rows={4}
          hasAutoFocus
          {...form.field('note')}
        />
        {kind === 'archive' ? null : (
          <Switch label={t('decision.sendEmail')} help={t('decision.sendEmailHelp')} {...form.field('sendEmail')} />
        )}
      </Form>
    </Sheet>
  );
}
