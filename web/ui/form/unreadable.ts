// Fields with a text that has no meaning yet, such as half an amount. Their forms are not sent before it is corrected.

/** Focuses the first field of a form that can't be read. False if every field can be read. */
export function focusUnreadable(form: HTMLElement | null): boolean {
  // Such a field has no value: sending the form would leave it out.
  const unreadable = form?.querySelector<HTMLElement>('[data-unreadable]');
  unreadable?.focus();
  return Boolean(unreadable);
}
