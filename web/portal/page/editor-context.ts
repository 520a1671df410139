// What every part of the editor needs: the draft, changing it, and what has been said about each field.
import { createContext, useContext } from 'react';
import type { FieldErrors } from '../../ui/form/form-state.ts';
import type { Changes, Content, PortalPage } from './draft-state.ts';

export type FieldName = keyof Content;

export type EditorParts = {
  programId: string;
  page: PortalPage;
  content: Content;
  change: (changes: Changes) => void;
  /** What the server rejected when the page was submitted, by field. */
  errors: FieldErrors;
};

export const EditorContext = createContext<EditorParts | null>(null);

/** The draft that is being edited. For the sections of the editor. */
export function useEditor(): EditorParts {
  const parts = useContext(EditorContext);
  if (!parts) throw new Error('useEditor is used outside of the editor.');
  return parts;
}
