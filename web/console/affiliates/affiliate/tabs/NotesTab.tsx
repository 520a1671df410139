// Notes about an affiliate, for members of the program. Only its author changes or deletes a note.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useAction, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { Button, IconButton } from '../../../../ui/controls/button.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { TextArea } from '../../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../../ui/form/form.tsx';
import { Card, RowList } from '../../../../ui/layout/card.tsx';
import { Identity } from '../../../../ui/marks/avatar.tsx';
import { Menu } from '../../../../ui/overlay/menu.tsx';
import { showToast } from '../../../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../../../ui/states/skeleton.tsx';
import styles from '../affiliate.module.css';
import type { Details } from '../details.ts';

type Note = NonNullable<Read<'affiliateNotes.list'>['data']>['notes'][number];

const affected = ['affiliateNotes.list', 'affiliateTable.summary', 'affiliateTable.activity'] as const;

export function NotesTab({ affiliate }: { affiliate: Details }) {
  const { t } = useTranslation('affiliate');
  const { id: programId, can } = useProgram();
  const read = useRead('affiliateNotes.list', { path: { programId, id: affiliate.id }, query: { limit: 100 } });
  return (
    <Card title={t('tabs.notes')} detail={t('notes.visibility')} isFlush>
      {can('affiliates.write') ? <NewNote affiliateId={affiliate.id} /> : null}
      <Loaded read={read} what={t('tabs.notes')} skeleton={<SkeletonText />}>
        {({ notes }) =>
          notes.length === 0 ? (
            <EmptyState sample="entries" title={t('notes.none')} text={t('notes.noneText')} />
          ) : (
            <RowList>
              {notes.map((note) => (
                <NoteRow key={note.id} note={note} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

function NewNote({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const form = useForm({ note: '' });
  const create = useAction('affiliateNotes.create', { invalidates: affected });
  const submit = () =>
    create.mutate(
      { path: { programId, id: affiliateId }, body: { note: form.values.note } },
      { onSuccess: () => form.reset({ note: '' }), onError: (error) => form.setProblem(error) },
    );
  return (
    <div className={styles.noteForm}>
      <Form
        form={form}
        onSubmit={submit}
        buttons={
          <Button type="submit" kind="primary" isBusy={create.isPending} disabled={form.values.note.trim() === ''}>
            {t('notes.add')}
          </Button>
        }
      >
        <TextArea label={t('notes.new')} rows={2} maxLength={5000} {...form.field('note')} />
      </Form>
    </div>
  );
}

function NoteRow({ note }: { note: Note }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const [isEditing, setIsEditing] = useState(false);
  const remove = useAction('affiliateNotes.delete', { invalidates: affected });
  const deleteNote = () =>
    remove.mutate(
      { path: { programId, id: note.id } },
      { onSuccess: () => showToast(t('notes.deleted')), onError: (error) => showToast(error.message, { tone: 'error' }) },
    );
  return (
    <li className={styles.note}>
      <div className={styles.noteHead}>
        <Identity name={note.author.name ?? t(`actor.${note.author.kind}`)} size={28} detail={<DateTime value={note.createdAt} />} />
        {note.isOwn ? (
          <Menu
            align="end"
            target={<IconButton icon="more" size="small" label={t('notes.more')} />}
            items={[
              { label: t('notes.edit'), icon: 'edit', onSelect: () => setIsEditing(true) },
              { label: t('notes.delete'), icon: 'trash', tone: 'danger', onSelect: deleteNote },
            ]}
          />
        ) : null}
      </div>
      {isEditing ? <NoteEditor note={note} onClose={() => setIsEditing(false)} /> : <div className={styles.noteText}>{note.note}</div>}
    </li>
  );
}

function NoteEditor({ note, onClose }: { note: Note; onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const form = useForm({ note: note.note });
  const update = useAction('affiliateNotes.update', { invalidates: affected });
  const submit = () =>
    update.mutate(
      { path: { programId, id: note.id }, body: { note: form.values.note } },
      { onSuccess: onClose, onError: (error) => form.setProblem(error) },
    );
  return (
    <Form
      form={form}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={update.isPending}>
            {t('notes.save')}
          </Button>
        </>
      }
    >
      <TextArea label={t('notes.edit')} isLabelHidden rows={3} maxLength={5000} hasAutoFocus {...form.field('note')} />
    </Form>
  );
}
